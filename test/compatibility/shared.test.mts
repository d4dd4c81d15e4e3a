// End-to-end tests that must pass unchanged in the oldest n8n and in the newest.
import '../e2e/main-flow.test.mts';
import '../e2e/waiting.test.mts';
