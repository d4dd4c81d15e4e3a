import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../../../sandbox/shared/command.mts';
import { Failure, type Log } from '../../../sandbox/shared/failure.mts';
import { withLock } from '../../../sandbox/shared/lock.mts';
import { root } from '../../../sandbox/shared/paths.mts';

const folder = path.join(root, 'test', 'install', 'registry');
const modules = path.join(folder, 'node_modules');
/** Holds the lock file's hash once everything of it is installed. */
const stampFile = path.join(modules, '.installed-lock');
const logFile = path.join(folder, 'install.log');

/** What Node runs as the registry. */
export const registryProgram = path.join(modules, 'verdaccio', 'bin', 'verdaccio');

async function lockHash(): Promise<string> {
	const lock = await readFile(path.join(folder, 'package-lock.json'));
	return createHash('sha256').update(lock).digest('hex');
}

async function isInstalled(): Promise<boolean> {
	const stamp = await readFile(stampFile, 'utf8').catch(() => '');
	return stamp === (await lockHash()) && existsSync(registryProgram);
}

async function install(log: Log): Promise<void> {
	if (await isInstalled()) return;
	log('Installing the registry of this test (65 MB, once; about half a minute).');
	const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
	const output = await run({ command: 'npm', args, cwd: folder, logFile });
	if (output === undefined) {
		throw new Failure(
			`Installing the registry failed: read ${logFile}, check the network and run it again.`,
		);
	}
	await writeFile(stampFile, await lockHash());
}

/** Installs verdaccio as its lock file says, unless that is done; a Failure names the log. */
export async function ensureRegistryInstalled(log: Log): Promise<void> {
	if (await isInstalled()) return;
	const onWait = () => log('Another command is installing the registry; waiting for it.');
	await withLock('install-registry', onWait, () => install(log));
}
