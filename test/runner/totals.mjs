/** Prints on a line of its own how many tests passed and failed, which CI adds up. */
export default class {
	onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
		// A file that breaks off before its first test has no tests to count.
		const failed = numFailedTests + numRuntimeErrorTestSuites;
		process.stdout.write(`\n${numPassedTests} passed, ${failed} failed\n`);
	}
}
