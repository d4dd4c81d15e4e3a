import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../../../sandbox/shared/command.mts';
import { packageName } from '../../../sandbox/shared/paths.mts';
import { given, userFolder } from '../../support/environment.mts';
import { npmVariables } from './npmSettings.mts';

const registryUrl = given('registryUrl');
const tarball = given('tarball');

const logFile = path.join(userFolder, 'publish.log');

/** Runs a command to its end; answers the last line of its output. */
async function must(command: string, args: string[], cwd: string): Promise<string> {
	const output = await run({ command, args, cwd, logFile });
	if (output === undefined) throw new Error(`${command} ${args[0]} failed: read ${logFile}`);
	return output.trim().split('\n').at(-1) ?? '';
}

/** npm with this test's settings, as options: they come before the variables of an outer npm. */
async function npm(args: string[], cwd: string): Promise<string> {
	const { npm_config_userconfig = '', npm_config_cache = '' } = npmVariables(userFolder);
	const settings = ['--userconfig', npm_config_userconfig, '--cache', npm_config_cache];
	return await must('npm', [...args, '--ignore-scripts', ...settings], cwd);
}

/** The newest published version, undefined before the first. */
async function newestVersion(): Promise<string | undefined> {
	const response = await fetch(`${registryUrl}/${packageName}`);
	if (response.status === 404) return undefined;
	if (!response.ok) throw new Error(`The registry answers ${response.status}`);
	const { 'dist-tags': tags } = (await response.json()) as { 'dist-tags': { latest: string } };
	return tags.latest;
}

/** Publishes the unpacked tarball under the version that follows `version`. */
async function publishAfter(version: string): Promise<void> {
	const folder = await mkdtemp(path.join(userFolder, 'next-'));
	try {
		await must('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'], folder);
		const quiet = ['--no-git-tag-version', '--allow-same-version'];
		await npm(['version', version, ...quiet], folder);
		await npm(['version', 'patch', ...quiet], folder);
		await npm(['publish'], folder);
	} finally {
		await rm(folder, { recursive: true });
	}
}

/** Publishes the package as it was packed, then the same code under the next version each time. */
export async function publishNext(): Promise<string> {
	const version = await newestVersion();
	await (version === undefined ? npm(['publish', tarball], userFolder) : publishAfter(version));
	const published = await newestVersion();
	if (published === undefined || published === version) throw new Error('Nothing was published');
	return published;
}
