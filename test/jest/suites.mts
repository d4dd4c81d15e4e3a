// `npm run suite -- <suites> [words] [options of jest]` runs suites, which are the folders in test/ and
// the projects of jest. With words, only their files whose path contains one. `npm run suite -- <group>`
// runs a group of test/suites.json.
import { spawnSync } from 'node:child_process';
import { report, runLanes, type Step } from './lanes.mts';
import config from '../../jest.config.js';
import groups from '../suites.json' with { type: 'json' };

/** What runs some projects: jest ends with this process, and with it all that it has started. */
const jest = ['--import', './sandbox/shared/exitWithParent.mts', 'node_modules/jest/bin/jest.js'];

/** The lanes of a group; undefined if there is no group with this name. */
export function lanesOf(group = ''): Step[][] | undefined {
	const found = Object.entries(groups).find(([name]) => name === group)?.[1];
	const suite = (names: string): Step => [
		names,
		['npm', 'run', 'suite', '--', ...names.split(' ')],
	];
	return found?.map((lane) => lane.map(suite));
}

if (import.meta.main) {
	const given = process.argv.slice(2);
	const lanes = lanesOf(given[0]);
	const suites = (config.projects as Array<{ displayName: string }>).map((one) => one.displayName);
	const chosen = given.filter((word) => suites.includes(word));
	// jest takes as a suite whatever follows --selectProjects, and as part of a path what comes before.
	const rest = given.filter((word) => !suites.includes(word));
	if (lanes !== undefined) {
		process.exitCode = report(await runLanes(lanes));
	} else if (chosen.length > 0) {
		const args = [...jest, ...rest, '--selectProjects', ...chosen];
		process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
	} else {
		const names = [...suites, ...Object.keys(groups)].join(', ');
		console.error(`Name at least one suite, or a group of suites. There are: ${names}.`);
		process.exitCode = 1;
	}
}
