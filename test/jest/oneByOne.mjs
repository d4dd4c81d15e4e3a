// Runs the files of a suite one after the other in plain Node, in a single process for the suite:
// they share an n8n, and inspect what it logs and stores.
import { createRunner } from 'jest-light-runner';

const LightRunner = createRunner({ runtime: 'child_process' });

export default class extends LightRunner {
	constructor(globalConfig, ...rest) {
		super({ ...globalConfig, maxWorkers: 1 }, ...rest);
		// A single worker would mean jest's own process, where suites would share their modules.
		this._runtime = 'child_process';
	}

	_runTest(test) {
		// Read when the process starts: see test/support/addresses.mts.
		process.env.TEST_SUITE = test.context.config.displayName.name;
		return super._runTest(test);
	}
}
