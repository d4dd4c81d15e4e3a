import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** A process that can be killed, like a crash, and started again. */
export interface Part {
	ended: Promise<string>;
	start(): Promise<void>;
	kill(): Promise<void>;
}

const isDown = ({ ended }: Part) => Promise.race([ended.then(() => true), nextTurn(false)]);

/** Restarts what is down, in this order, as a supervisor does: one crash may end others, too. */
export async function revive(parts: Part[]): Promise<void> {
	for (const part of parts) if (await isDown(part)) await part.start();
}

/** Keeps reviving until `work` is done; resolves to its result once everything is running. */
export async function during<T>(parts: Part[], work: Promise<T>): Promise<T> {
	let isDone = false;
	const end = () => void (isDone = true);
	work.then(end, end);
	while (!isDone) {
		await revive(parts);
		await Promise.race([sleep(500), work.catch(() => undefined)]);
	}
	await revive(parts);
	return await work;
}
