// End-to-end tests that must pass unchanged in queue mode.
import '../e2e/leaks.test.mts';
import '../e2e/main-flow.test.mts';
import '../e2e/waiting-flows.test.mts';
import '../e2e/waiting.test.mts';
