import { mkdir } from 'node:fs/promises';
import lockfile from 'proper-lockfile';
import { unlessCode } from './failure.mts';
import { stateFolder } from './paths.mts';

/** Milliseconds after which a lock counts as left behind by a killed process. */
const stale = 4000;

/** Takes the lock `name` of this checkout; undefined if another process has it. */
async function take(name: string, retries: object) {
	await mkdir(stateFolder('locks'), { recursive: true });
	// A process that was too busy to renew its lock continues anyway.
	const onCompromised = () => undefined;
	const options = { realpath: false, stale, update: 1000, onCompromised, retries };
	return await lockfile.lock(stateFolder('locks', name), options).catch(unlessCode('ELOCKED'));
}

/** Takes the lock `name` until this process ends; false if another process has it. */
export async function holdLock(name: string): Promise<boolean> {
	// Long enough for a lock that was left behind to become stale.
	const retries = { retries: 10, factor: 1, minTimeout: stale / 8 };
	return (await take(name, retries)) !== undefined;
}

/** Waits for the lock `name` of this checkout, then runs `work` while holding it. */
export async function withLock<T>(name: string, onWait: () => void, work: () => Promise<T>) {
	let release = await take(name, { retries: 0 });
	if (release === undefined) onWait();
	release ??= await take(name, { forever: true, factor: 1, minTimeout: 250 });
	try {
		return await work();
	} finally {
		await release?.();
	}
}
