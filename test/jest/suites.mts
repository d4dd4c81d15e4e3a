// `npm run suite -- <group or projects> [-- options of jest]`: runs a group of test/suites.json, or
// projects of jest, which are the folders in test/.
import { spawnSync } from 'node:child_process';
import { report, runLanes, type Step } from './lanes.mts';
import groups from '../suites.json' with { type: 'json' };

/** What runs some projects: jest ends with this process, and with it all that it has started. */
const endsWithParent = ['--import', './sandbox/shared/exitWithParent.mts'];
const jest = [...endsWithParent, 'node_modules/jest/bin/jest.js', '--selectProjects'];

/** The lanes of a group; undefined if there is no group with this name. */
export function lanesOf(group: string): Step[][] | undefined {
	const found = Object.entries(groups).find(([name]) => name === group)?.[1];
	const suite = (names: string): Step => [names, ['npm', 'run', 'suite', '--', names]];
	return found?.map((lane) => lane.map(suite));
}

if (import.meta.main) {
	const [names = '', ...options] = process.argv.slice(2);
	const lanes = lanesOf(names);
	const args = [...jest, ...names.split(' '), ...options];
	process.exitCode =
		lanes === undefined
			? (spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1)
			: report(await runLanes(lanes));
}
