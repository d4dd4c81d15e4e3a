import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './failure.mts';
import { root } from './paths.mts';

const rootHash = createHash('sha256').update(root).digest('hex').slice(0, 12);

/** True when a process of that id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return codeOf(error) === 'EPERM';
	}
}

/** True when the holder is gone; a lock without a pid gets two seconds to write one. */
async function isStale(folder: string): Promise<boolean> {
	const pid = Number(await readFile(path.join(folder, 'pid'), 'utf8').catch(() => '0'));
	if (pid > 0) return !isAlive(pid);
	const made = await stat(folder).catch(() => undefined);
	return made !== undefined && Date.now() - made.mtimeMs > 2000;
}

async function take(folder: string): Promise<boolean> {
	try {
		await mkdir(folder);
		await writeFile(path.join(folder, 'pid'), String(process.pid));
		return true;
	} catch (error) {
		if (codeOf(error) !== 'EEXIST') throw error;
		if (await isStale(folder)) await rm(folder, { recursive: true, force: true });
		return false;
	}
}

const folderOf = (name: string) =>
	path.join(tmpdir(), `n8n-nodes-data-collection-${rootHash}-${name}.lock`);

const release = (folder: string) => rmSync(folder, { recursive: true, force: true });

/** Takes the lock `name` until this process ends; false when another process has it. */
export async function holdLock(name: string): Promise<boolean> {
	const folder = folderOf(name);
	// The first attempt may only have cleared what a dead process left behind.
	const taken = (await take(folder)) || (await take(folder));
	if (taken) process.once('exit', () => release(folder));
	return taken;
}

/** Runs `work` while no other process of this checkout holds the lock `name`; waits its turn. */
export async function withLock<T>(
	name: string,
	onWait: () => void,
	work: () => Promise<T>,
): Promise<T> {
	const folder = folderOf(name);
	for (let said = false; !(await take(folder)); await sleep(250)) {
		if (!said) onWait();
		said = true;
	}
	const onExit = () => release(folder);
	process.once('exit', onExit);
	try {
		return await work();
	} finally {
		process.off('exit', onExit);
		release(folder);
	}
}
