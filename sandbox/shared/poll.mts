import pWaitFor, { TimeoutError } from 'p-wait-for';
import { Failure } from './failure.mts';

interface Poll<T> {
	/** Completes "Expected ...". */
	expected: string;
	/** Milliseconds. */
	within: number;
	/** Milliseconds between two reads; 200 by default. */
	pause?: number;
	/** The value waited for, or undefined for "not yet". */
	read: () => Promise<T | undefined>;
	/** What was found instead, for the message. */
	describe?: () => Promise<string>;
}

/** Reads until there is a value; a Failure says what was expected and what was found. */
export async function poll<T>(options: Poll<T>): Promise<T> {
	const { expected, within, pause = 200, read, describe } = options;
	const condition = async () => {
		const value = await read();
		return value !== undefined && pWaitFor.resolveWith(value);
	};
	try {
		return await pWaitFor(condition, { interval: pause, timeout: within });
	} catch (error) {
		if (!(error instanceof TimeoutError)) throw error;
		const instead = describe === undefined ? '' : ` Instead: ${await describe()}`;
		throw new Failure(`Expected ${expected} within ${within / 1000} s.${instead}`);
	}
}
