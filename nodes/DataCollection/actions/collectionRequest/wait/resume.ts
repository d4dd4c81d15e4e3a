import type {
	IDataObject,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { createClient } from '../../../api/client';
import type { Clock } from '../../../clock';
import { systemClock } from '../../../clock';
import type { Connection } from '../../../credential/connection';
import { readConnection } from '../../../credential/connection';
import { claimDelivery } from '../../../webhook/deduplication';
import { UPDATED } from '../../../webhook/notification';
import { accept, deliveriesAt, notHandled, receive, respond } from '../../../webhook/receive';
import { MAXIMUM_AGE } from '../../../webhook/verifyDelivery';
import { RESUME_PATH } from '../notify';
import type { Reader, Reading } from './reading';
import { isGone, NOTHING_READ, progressOf, readEach, readOutput } from './reading';
import type { Known, WaitState } from './state';
import { addStatus, idsOf, isReached, memoryOf, noteEnd, readState } from './state';

export const resumeWebhooks: IWebhookDescription[] = [
	{ ...deliveriesAt(RESUME_PATH), restartWebhook: true },
];

/** Milliseconds after which the service gets a response: it gives up on a delivery after 5 s. */
const RESPONSE_TIME = 4_000;

/** Seconds for reading what comes out. */
const OUTPUT_TIME = 3;

/** Seconds for one attempt to find out whether the wait is over, and milliseconds for all. */
const TIMEOUT = 30;
const CHECK_TIME = 90_000;

/**
 * Milliseconds before the time limit within which nothing ends the wait any more. n8n continues the
 * execution at the limit; if a notification continued it as well, both branches would run.
 */
const TOO_LATE = 2_000;

interface Delivered {
	context: IWebhookFunctions;
	connection: Connection;
	clock: Clock;
	notification: IDataObject & { event: string; requestId: string };
	state: WaitState;
	known: Known;
}

/**
 * Ends the wait when a notification reports the last awaited status. n8n has already checked the
 * token in the URL; this also checks the signature. Never throws: that would end the wait.
 */
export async function resume(
	context: IWebhookFunctions,
	clock = systemClock,
): Promise<IWebhookResponseData> {
	try {
		const connection = await readConnection(context);
		const delivery = await receive(context, connection, MAXIMUM_AGE, new Date(clock.now()));
		if (delivery === undefined) return { noWebhookResponse: true };
		const state = readState(context);
		if (state === undefined) return respond(context, 'ignored');
		const key = `${state.executionId}/${delivery.signature}`;
		if (!(await claimDelivery(context, key, MAXIMUM_AGE))) return respond(context, 'duplicate');
		const notification = { ...delivery.notification, deliveryId: delivery.deliveryId };
		const { known } = memoryOf(state.executionId);
		return await handle({ context, connection, clock, notification, state, known });
	} catch (error) {
		return notHandled(context, error);
	}
}

/** Adds to what is known, checks whether the wait is over, and ends it if it is. */
async function handle(delivered: Delivered): Promise<IWebhookResponseData> {
	const { clock, context, notification, state, known } = delivered;
	const { event, requestId, shareStatus } = notification;
	for (const [id, statuses] of state.known) for (const one of statuses) addStatus(known, id, one);
	if (event !== UPDATED) return respond(context, 'ignored');
	addStatus(known, requestId, shareStatus);
	if (!idsOf(state.awaited).includes(requestId)) return respond(context, 'ignored');
	const isCertain = shareStatus && !isReached(state.awaited, known, requestId);
	if (isCertain || clock.now() >= latestEnd(state)) return respond(context, 'waiting');

	const reading = await check(delivered);
	const { isOver, isWaiting } = progressOf(state, known, reading);
	if (isOver) return await endWait(delivered, reading);
	const failure = [...reading.failures.values()].find((error) => !isGone(error));
	if (isWaiting || failure === undefined) return respond(context, 'waiting');
	return respond(context, 'notChecked', `Delivery not checked: ${String(failure)}`);
}

/** Ends the wait, once: of notifications that arrive together, each may find that it is over. */
async function endWait(delivered: Delivered, reading: Reading): Promise<IWebhookResponseData> {
	const { context, connection, clock, notification, state, known } = delivered;
	if (!(await claimDelivery(context, waitKey(state), MAXIMUM_AGE))) {
		return respond(context, 'duplicate');
	}
	const reader = readerOf(delivered, OUTPUT_TIME, clock.now() + OUTPUT_TIME * 1000);
	const items = await readOutput(reader, state, known, reading, notification);
	if (clock.now() >= latestEnd(state)) {
		return respond(context, 'waiting', 'Too late: the time limit ends the wait');
	}
	noteEnd(state.executionId, state.awaited);
	return accept(
		context,
		connection,
		items.map((json, item) => ({ json, pairedItem: { item } })),
	);
}

const waitKey = ({ executionId, startedAt }: WaitState) => `${executionId}/${startedAt}`;

/** When a notification can end the wait at the latest, in milliseconds since 1970. */
const latestEnd = ({ endsAt }: WaitState) => (endsAt ?? Infinity) - TOO_LATE;

const readerOf = (
	{ context, connection, clock }: Delivered,
	timeout: number,
	deadline: number,
): Reader => ({
	api: createClient({ context, connection, clock }),
	...{ clock, connection },
	options: () => ({ timeout, deadline }),
});

/**
 * Reads what is not known yet, as long as that can show that the wait is over. The notification may be
 * the last one and must not be forgotten, so this may take longer than the service waits: then the
 * service is told that nothing is checked yet, and the wait can still end.
 */
async function check(delivered: Delivered): Promise<Reading> {
	const { context, clock, state, known } = delivered;
	const isOver = () => progressOf(state, known, NOTHING_READ).isOver;
	if (isOver()) return NOTHING_READ;
	const responseTime = clock.timeout(RESPONSE_TIME);
	const tell = () =>
		respond(context, 'notChecked', 'Delivery not checked yet: the service is slow');
	responseTime.addEventListener('abort', tell);
	const reading = await coalesce(waitKey(state), async () => {
		if (isOver()) return NOTHING_READ;
		const reader = readerOf(
			delivered,
			TIMEOUT,
			Math.min(clock.now() + CHECK_TIME, latestEnd(state)),
		);
		const { pending } = progressOf(state, known, NOTHING_READ);
		return await readEach(reader, pending, known, (id, reading) => {
			return !isReached(state.awaited, known, id) && !progressOf(state, known, reading).isWaiting;
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
