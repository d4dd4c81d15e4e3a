// `.ci/run`: everything that must pass for every change. Nothing waits longer than for what it needs:
// npm test begins once the tools are installed, and the suites once the sandbox's n8n is, too. It runs
// before the tools are installed, so it imports nothing but Node's own modules.
import { lanesOf } from './suites.mts';
import { report, run, runLanes, type Step } from './lanes.mts';

const withTools = [process.execPath, 'scripts/bootstrap.mjs', '.'];

const tools = run(['installing the tools', [...withTools, '--version']]);
const n8n = run(['installing n8n', [process.execPath, 'sandbox/n8n/install.mts']]);
const programs = run(['installing Chromium', [process.execPath, 'test/support/programs.mts']]);
// The first two lanes take longest, and part of it they wait: all else runs meanwhile.
const givingWay = ([name, command]: Step): Step => [name, ['nice', '-n', '4', ...command]];
const [first = [], second = [], ...others] = lanesOf('every-change') ?? [];
const lanes = [first, second, ...others.map((lane) => lane.map(givingWay))];
const tests = tools.then(() => run(givingWay(['npm test', ['npm', 'test']])));
const suites = Promise.all([tools, n8n, programs]).then(() => runLanes(lanes));

process.exitCode = report([await tools, await n8n, await programs, await tests, ...(await suites)]);
