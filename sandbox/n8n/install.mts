import { existsSync, statfsSync } from 'node:fs';
import { link, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../shared/command.mts';
import { Failure } from '../shared/failure.mts';
import { isInstalled } from '../shared/installed.mjs';
import { runCommand } from '../shared/lifetime.mts';
import { withLock } from '../shared/lock.mts';
import { n8nFolder } from '../shared/paths.mts';

const sandbox = path.dirname(n8nFolder);
const logFile = path.join(n8nFolder, 'install.log');

/**
 * n8n's packages may not run scripts. What two of them lack as a result comes from the sandbox's
 * copies: the Node that runs this, and a driver that is compiled while n8n downloads.
 */
const node = path.join('node_modules', 'node', 'bin', 'node');
const driver = path.join('node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');

async function download(): Promise<void> {
	if (await isInstalled(n8nFolder)) return;
	const { bavail, bsize } = statfsSync(n8nFolder);
	const free = (bavail * bsize) / 1e9;
	if (free < 5) {
		throw new Failure(
			`Only ${free.toFixed(1)} GB are free in ${n8nFolder}: n8n needs 5 GB. Free up some space and try again.`,
		);
	}
	await run({
		title: 'Downloading n8n',
		command: 'npm',
		args: 'ci --legacy-peer-deps --ignore-scripts --prefer-offline --no-audit --no-fund'.split(' '),
		cwd: n8nFolder,
		advice: 'check the network and run the same command again',
		logFile,
	});
}

async function makeDriver(): Promise<void> {
	if (existsSync(path.join(sandbox, driver))) return;
	await run({
		title: 'Building its SQLite driver',
		command: 'npm',
		args: ['rebuild', 'sqlite3', '--ignore-scripts=false'],
		cwd: sandbox,
		advice: 'install Python, make and a C++ compiler, and run the same command again',
		logFile,
	});
}

async function isReady(): Promise<boolean> {
	const hasFiles = [node, driver].every((file) => existsSync(path.join(n8nFolder, file)));
	return hasFiles && (await isInstalled(n8nFolder));
}

async function install(): Promise<void> {
	if (await isReady()) return;
	console.log('Installing n8n into sandbox/n8n (1.7 GB, once; about 2 minutes).');
	await rm(logFile, { force: true });
	await Promise.all([download(), makeDriver()]);
	for (const file of [node, driver]) {
		await mkdir(path.dirname(path.join(n8nFolder, file)), { recursive: true });
		await rm(path.join(n8nFolder, file), { force: true });
		await link(path.join(sandbox, file), path.join(n8nFolder, file));
	}
}

/** Installs n8n from its lock file if needed; a Failure names the log. */
export async function ensureN8nInstalled(): Promise<void> {
	if (await isReady()) return;
	const onWait = () => console.log('Another command is installing n8n; waiting for it.');
	await withLock('install-n8n', onWait, () => install());
}

// CI runs this file directly, to install n8n while other steps run.
if (import.meta.main) {
	await runCommand(() => ensureN8nInstalled().then(() => 0), 1);
}
