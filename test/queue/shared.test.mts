// End-to-end tests that must pass unchanged in queue mode.
import { backInWait } from '../e2e/limits.mts';
import '../e2e/leaks.test.mts';
import '../e2e/main-flow.test.mts';
import '../e2e/waiting-flows.test.mts';
import '../e2e/waiting.test.mts';

test(
	"a limit leads all by Time's Up; back in Wait, they leave by Done with their own data",
	backInWait,
);
