// Runs the files of a suite one after the other in jest's own process, in plain Node. They share what
// the set-up of the suite has started there.
import LightRunner from 'jest-light-runner';

export default class extends LightRunner {
	constructor(globalConfig, ...rest) {
		super({ ...globalConfig, maxWorkers: 1 }, ...rest);
	}

	/** The settings of one project must be gone before the next one begins. */
	async runTests(tests, ...rest) {
		for (const ofProject of Map.groupBy(tests, ({ context }) => context).values()) {
			await super.runTests(ofProject, ...rest);
		}
	}
}
