import { run } from '../../../sandbox/shared/command.mts';
import { Failure } from '../../../sandbox/shared/failure.mts';
import { root } from '../../../sandbox/shared/paths.mts';

/** What is tested unless versions are asked for, oldest first. */
export const defaultVersions = [
	'1.85.4',
	'1.100.1',
	'1.123.81',
	'2.0.3',
	'2.11.4',
	'2.20.0',
	'2.41.1',
];

/** Versions of the npm package `node`, which brings the binary, by n8n's own requirement. */
const nodeVersions = { before24: '22.23.3', since24: '24.15.0' };

/** The Node an n8n version runs on here; a Failure when the registry does not know the version. */
export async function nodeFor(version: string, logFile: string): Promise<string> {
	const args = ['view', `n8n@${version}`, 'engines.node'];
	const engines = await run({ command: 'npm', args, cwd: root, logFile });
	if (engines === undefined || engines.trim() === '') {
		throw new Failure(
			`The npm registry does not know n8n ${version}: "npm view n8n versions" lists what it has.`,
		);
	}
	return /^>=\s*24/.test(engines.trim()) ? nodeVersions.since24 : nodeVersions.before24;
}

/** True for `major`.`minor` and everything newer. */
export function isSince(version: string, major: number, minor: number): boolean {
	const [first = NaN, second = NaN] = version.split('.').map(Number);
	return first > major || (first === major && second >= minor);
}

/** A version as three numbers; a Failure for anything else, which must not become a path. */
export function checkVersion(text: string): string {
	if (/^\d+\.\d+\.\d+$/.test(text)) return text;
	throw new Failure(`"${text}" is not a version of n8n: give one such as 1.100.1.`);
}
