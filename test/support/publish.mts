import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Json } from '../../sandbox/n8n/types.mts';
import { run } from '../../sandbox/shared/command.mts';
import { packageName } from '../../sandbox/shared/paths.mts';
import { given, userFolder } from './environment.mts';
import { npmVariables } from './registry.mts';

async function must(command: string, args: string[]): Promise<void> {
	const logFile = path.join(userFolder, 'publish.log');
	await run({ title: `${command} ${args[0]}`, command, args, cwd: userFolder, logFile });
}

/** The newest published version; undefined before the first. */
async function newestVersion(): Promise<string | undefined> {
	const response = await fetch(`${given('registryUrl')}/${packageName}`);
	if (response.status === 404) return undefined;
	if (!response.ok) throw new Error(`The registry answers ${response.status}`);
	const { 'dist-tags': tags } = (await response.json()) as { 'dist-tags': { latest: string } };
	return tags.latest;
}

/** A folder with the unpacked tarball, set to the next version. */
async function repackAfter(version: string): Promise<string> {
	const folder = await mkdtemp(path.join(userFolder, 'next-'));
	await must('tar', ['-xzf', given('tarball'), '-C', folder, '--strip-components=1']);
	const file = path.join(folder, 'package.json');
	const manifest = JSON.parse(await readFile(file, 'utf8')) as Json;
	const next = version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
	await writeFile(file, JSON.stringify({ ...manifest, version: next }));
	return folder;
}

/** Publishes the package as packed the first time, then the same code under the next version. */
export async function publishNext(): Promise<string> {
	const version = await newestVersion();
	const packed = version === undefined ? given('tarball') : await repackAfter(version);
	// As options, which take precedence over the variables of an outer npm.
	const { npm_config_userconfig, npm_config_cache } = npmVariables(userFolder);
	const settings = ['--userconfig', npm_config_userconfig, '--cache', npm_config_cache];
	await must('npm', ['publish', packed, '--ignore-scripts', ...settings]);
	const published = await newestVersion();
	if (published === undefined || published === version) throw new Error('Nothing was published');
	return published;
}
