// `.ci/run`: everything that must pass for every change. First npm test, while the sandbox's n8n is
// being installed, then the suites in a real n8n; after them, whether the benchmarks work.
import { report, runLanes, type Step } from './lanes.mts';
import { lanesOf } from './suites.mts';

/** Benchmarks in a trial, which says nothing about speed, so it may run beside other work. */
const trial = (...names: string[]): Step => [
	`bench ${names.join(' ')}`,
	[process.execPath, 'bench/run.mts', ...names, '--trial'],
];

const install = [process.execPath, 'sandbox/n8n/install.mts'];
const first = await runLanes([
	// It builds the package, as npm test does, and no suite may find that half done.
	[['npm test', ['npm', 'test']], trial('verify')],
	[['installing n8n', install]],
]);
const [e2e = [], ...others] = lanesOf('every-change') ?? [];
const suites = await runLanes([[...e2e, trial('deliver', 'create')], ...others]);
process.exitCode = report([...first, ...suites]);
