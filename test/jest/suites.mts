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
	// jest takes as a suite whatever follows --selectProjects, and as part of a path what comes before.
	const suites = config.projects as Array<{ displayName: string }>;
	const isSuite = (word: string) => suites.some(({ displayName }) => displayName === word);
	const rest = given.filter((word) => !isSuite(word));
	const args = [...jest, ...rest, '--selectProjects', ...given.filter(isSuite)];
	process.exitCode =
		lanes === undefined
			? (spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1)
			: report(await runLanes(lanes));
}
