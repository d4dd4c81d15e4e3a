import type { Bench } from './bench.mts';
import { supervise, type Supervisor } from './supervisor.mts';

/** The name of a process, chosen as late as possible: only then is known which one is busy. */
export type Fault = () => Promise<string>;

/** A crash that has happened. */
export interface Crash {
	/** Milliseconds since 1970. */
	at: number;
	victim: string;
	supervisor: Supervisor;
}

/** `kill -9`, now. */
export async function strike({ members }: Bench, fault: Fault): Promise<Crash> {
	const name = await fault();
	const member = members.find((candidate) => candidate.name === name);
	if (member?.pid() === undefined) throw new Error(`There is no process "${name}" to kill`);
	const at = Date.now();
	await member.kill();
	return { at, victim: name, supervisor: supervise(members) };
}

/** n8n takes up to a minute to notice that a worker is gone; its other losses it does not notice. */
export const patienceAfter = ({ victim }: Crash) => (victim.startsWith('worker') ? 90_000 : 30_000);
