// `npm run suite -- <group or projects> [-- options of jest]`: runs a group of test/suites.json, or
// projects of jest, which are the folders in test/.
import { spawnSync } from 'node:child_process';
import { report, runLanes, type Step } from './lanes.mts';
import groups from '../suites.json' with { type: 'json' };

/** jest ends with this process, and with it all that it has started. */
const endsWithParent = ['--import', './sandbox/shared/exitWithParent.mts'];
const program = 'node_modules/jest/bin/jest.js';
const jest = [process.execPath, ...endsWithParent, program, '--selectProjects'];

/** The lanes of a group; undefined if there is no group with this name. */
export function lanesOf(group: string): Step[][] | undefined {
	const found = Object.entries(groups).find(([name]) => name === group)?.[1];
	return found?.map((lane) => lane.map((name) => [name, [...jest, ...name.split(' ')]]));
}

if (import.meta.main) {
	const [name = '', ...options] = process.argv.slice(2);
	const lanes = lanesOf(name);
	const [node = '', ...args] = [...jest, name, ...options];
	process.exitCode =
		lanes === undefined
			? (spawnSync(node, args, { stdio: 'inherit' }).status ?? 1)
			: report(await runLanes(lanes));
}
