// Runs the files of a suite in plain Node, in one process of the suite's own, one after the other:
// they share an n8n, and look at what it logs and stores.
import { createRunner } from 'jest-light-runner';

const LightRunner = createRunner({ runtime: 'child_process' });

export default class extends LightRunner {
	constructor(globalConfig, ...rest) {
		super({ ...globalConfig, maxWorkers: 1 }, ...rest);
		// One worker would mean jest's own process, in which suites would share their modules.
		this._runtime = 'child_process';
	}

	_runTest(test) {
		// Read when the process starts: see test/support/addresses.mts.
		process.env.TEST_SUITE = test.context.config.displayName.name;
		return super._runTest(test);
	}
}
