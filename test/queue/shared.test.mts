// End-to-end tests that have to hold in queue mode as they are.
import '../deliveries/bodies.test.mts';
import '../deliveries/headers.test.mts';
import '../e2e/credential-test.test.mts';
import '../e2e/leaks.test.mts';
import '../e2e/main-flow.test.mts';
import '../e2e/retry-on-fail.test.mts';
import '../e2e/waiting.test.mts';
