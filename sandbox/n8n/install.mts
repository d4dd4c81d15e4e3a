import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../shared/command.mts';
import { Failure, type Log } from '../shared/failure.mts';
import { withLock } from '../shared/lock.mts';
import { n8nFolder } from '../shared/paths.mts';
import { showProgress } from '../shared/progress.mts';

const modules = path.join(n8nFolder, 'node_modules');
const logFile = path.join(n8nFolder, 'install.log');
const neededBytes = 5e9;

/** The Node binary n8n runs on: its own, whatever the machine has. */
const n8nNode = path.join(modules, 'node', 'bin', 'node');

interface Step {
	/** File in node_modules that holds the lock file's hash once the step is done. */
	stamp: string;
	title: string;
	args: string[];
	expectedSeconds: number;
}

const steps: Step[] = [
	{
		stamp: '.installed-lock',
		title: 'Downloading n8n (2,100 packages)',
		args: ['ci', '--legacy-peer-deps', '--ignore-scripts'],
		expectedSeconds: 210,
	},
	{
		stamp: '.rebuilt-lock',
		title: "Fetching n8n's Node and its SQLite driver",
		args: ['rebuild', 'node', 'sqlite3', '--ignore-scripts=false'],
		expectedSeconds: 120,
	},
];

async function lockHash(): Promise<string> {
	const lock = await readFile(path.join(n8nFolder, 'package-lock.json'));
	return createHash('sha256').update(lock).digest('hex');
}

async function isDone({ stamp }: Step): Promise<boolean> {
	const done = await readFile(path.join(modules, stamp), 'utf8').catch(() => '');
	return done.trim() === (await lockHash());
}

async function isInstalled(): Promise<boolean> {
	const done = await Promise.all(steps.map(isDone));
	return done.every(Boolean) && existsSync(n8nNode);
}

async function checkDisk(): Promise<void> {
	const { bavail, bsize } = await statfs(n8nFolder);
	if (bavail * bsize >= neededBytes) return;
	const free = ((bavail * bsize) / 1e9).toFixed(1);
	throw new Failure(
		`Only ${free} GB are free in ${n8nFolder}: n8n needs 5 GB, make room and try again.`,
	);
}

async function runStep(step: Step, log: Log): Promise<void> {
	const { title, args, expectedSeconds } = step;
	const finish = showProgress({ title, expectedSeconds, folder: modules, log });
	const output = await run({ command: 'npm', args, cwd: n8nFolder, logFile });
	finish(output !== undefined);
	if (output === undefined) {
		throw new Failure(
			`${title} failed: read ${logFile}, check the network and run the same command again.`,
		);
	}
	await writeFile(path.join(modules, step.stamp), await lockHash());
}

async function install(log: Log): Promise<void> {
	if (await isInstalled()) return;
	const [download] = steps;
	if (download !== undefined && !(await isDone(download))) await checkDisk();
	log('Installing n8n with its own Node into sandbox/n8n (2.4 GB, once; about 6 minutes).');
	await rm(logFile, { force: true });
	for (const step of steps) {
		if (!(await isDone(step)) || !existsSync(n8nNode)) await runStep(step, log);
	}
}

/** Installs n8n as its lock file says, unless that is done; a Failure names the log. */
export async function ensureN8nInstalled(log: Log): Promise<void> {
	if (await isInstalled()) return;
	const onWait = () => log('Another command is installing n8n; waiting for it.');
	await withLock('install-n8n', onWait, () => install(log));
}
