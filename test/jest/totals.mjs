/** Prints on a separate line how many tests passed and failed, for CI to add up. */
export default class {
	onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
		// A file that fails before its first test has no tests to count.
		const failed = numFailedTests + numRuntimeErrorTestSuites;
		process.stdout.write(`\n${numPassedTests} passed, ${failed} failed\n`);
	}
}
