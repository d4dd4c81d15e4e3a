/** Prints as jest's last line how many tests passed and failed. */
export default class {
	onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
		// A file that breaks off before its first test has no tests to count.
		const failed = numFailedTests + numRuntimeErrorTestSuites;
		process.stdout.write(`\n${numPassedTests} passed, ${failed} failed\n`);
	}
}
