import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { createClient } from '../../../api/client';
import type { Clock } from '../../../clock';
import type { Connection } from '../../../credential/connection';
import { respond } from '../../../webhook/receive';
import type { Reader, Reading } from './reading';
import { NOTHING_READ, progressOf, readEach } from './reading';
import type { Memory, WaitState } from './state';
import { isReached } from './state';

/** Milliseconds after which the service gets a response: it gives up on a delivery after 5 s. */
const RESPONSE_TIME = 4_000;

/** Milliseconds that finding out whether the wait is over may take in all, and seconds for a read. */
const CHECK_TIME = 90_000;
const TIMEOUT = 30;

/**
 * Milliseconds before the time limit within which nothing ends the wait any more. n8n continues the
 * execution at the limit; if a notification continued it as well, both branches would run.
 */
const TOO_LATE = 2_000;

/** A verified notification for a waiting execution. */
export interface Delivered {
	context: IWebhookFunctions;
	connection: Connection;
	clock: Clock;
	notification: IDataObject & { event: string; requestId: string };
	state: WaitState;
	memory: Memory;
}

/** Tells apart the waits of all executions. */
export const waitKey = ({ executionId, startedAt }: WaitState) => `${executionId}/${startedAt}`;

/** When a notification can end the wait at the latest, in milliseconds since 1970. */
export const latestEnd = ({ endsAt }: WaitState) => (endsAt ?? Infinity) - TOO_LATE;

export const readerOf = (
	{ context, connection, clock }: Delivered,
	timeout: number,
	deadline: number,
): Reader => ({
	api: createClient({ context, connection, clock }),
	...{ clock, connection },
	options: () => ({ timeout, deadline }),
});

/**
 * Reads what is not known yet, as long as that can show that the wait is over. If that takes too long,
 * the service is told that nothing is checked yet. The reads go on after that where it is safe, since
 * the notification may be the last one.
 */
export async function check(delivered: Delivered): Promise<Reading> {
	const { context, clock, state, memory } = delivered;
	const { known, startedAt } = memory;
	const isOver = () => progressOf(state, known, NOTHING_READ).isOver;
	if (isOver()) return NOTHING_READ;
	const responseTime = clock.timeout(RESPONSE_TIME);
	const tell = () =>
		respond(context, 'notChecked', 'Delivery not checked yet: the service is slow');
	responseTime.addEventListener('abort', tell);
	const reading = await coalesce(waitKey(state), async () => {
		if (isOver()) return NOTHING_READ;
		const end = clock.now() + (startedAt === undefined ? RESPONSE_TIME : CHECK_TIME);
		const reader = readerOf(delivered, TIMEOUT, Math.min(end, latestEnd(state)));
		const { pending } = progressOf(state, known, NOTHING_READ);
		return await readEach(reader, pending, known, (id, soFar) => {
			return !isReached(state.awaited, known, id) && !progressOf(state, known, soFar).isWaiting;
		});
	});
	responseTime.removeEventListener('abort', tell);
	return reading;
}

/** The check that is under way for each wait, and the one that comes after it. */
const checks = new Map<string, { running: Promise<Reading>; next?: Promise<Reading> }>();

/**
 * Notifications that arrive during a check share the next one: it begins when all of them are known.
 */
async function coalesce(key: string, read: () => Promise<Reading>): Promise<Reading> {
	const start = async () => {
		const own = { running: read() };
		checks.set(key, own);
		const reading = await own.running;
		if (checks.get(key) === own) checks.delete(key);
		return reading;
	};
	const current = checks.get(key);
	if (current === undefined) return await start();
	current.next ??= current.running.then(start);
	return await current.next;
}
