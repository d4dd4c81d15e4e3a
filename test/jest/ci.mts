// `.ci/run`: everything that must pass for every change. First npm test, while the sandbox's n8n is
// being installed, then the suites in a real n8n.
import { report, runLanes } from './lanes.mts';
import { lanesOf } from './suites.mts';

const install = [process.execPath, 'sandbox/n8n/install.mts'];
const first = await runLanes([[['npm test', ['npm', 'test']]], [['installing n8n', install]]]);
const suites = await runLanes(lanesOf('every-change') ?? []);
process.exitCode = report([...first, ...suites]);
