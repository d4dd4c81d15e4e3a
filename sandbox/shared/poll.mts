import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from './failure.mts';

interface Poll<T> {
	/** Completes "Expected ...". */
	expected: string;
	/** Milliseconds. */
	within: number;
	/** Milliseconds between two reads; 200 by default. */
	pause?: number;
	/** The value waited for, or undefined for "not yet". */
	read: () => Promise<T | undefined> | T | undefined;
	/** What was found instead, for the message. */
	describe?: () => Promise<string>;
}

/** Reads until there is a value; a Failure says what was expected and what was found. */
export async function poll<T>({ expected, within, pause = 200, read, describe }: Poll<T>) {
	const deadline = Date.now() + within;
	for (;;) {
		const value = await read();
		if (value !== undefined) return value;
		if (Date.now() > deadline) break;
		await sleep(pause);
	}
	const instead = describe === undefined ? '' : ` Instead: ${await describe()}`;
	throw new Failure(`Expected ${expected} within ${within / 1000} s.${instead}`);
}
