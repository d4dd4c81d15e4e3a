import type {
	IDataObject,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { createClient } from '../../../api/client';
import { systemClock } from '../../../clock';
import { readConnection } from '../../../credential/connection';
import { MAXIMUM_AGE } from '../../../fields';
import { withoutErrorField } from '../../../sanitize';
import { claimDelivery } from '../../../webhook/deduplication';
import { UPDATED } from '../../../webhook/notification';
import { accept, deliveriesAt, respondToError, receive, respond } from '../../../webhook/receive';
import { RESUME_PATH } from '../notify';
import type { Reader } from './reading';
import { failuresOf, messageOf, progressOf, readEach, readOutput, withRead } from './reading';
import type { Memory, Reading, WaitState } from './state';
import { endWait, idsOf, isReached, learn, memoryOfWait, NOTHING_READ, readState } from './state';

export const resumeWebhooks: IWebhookDescription[] = [
	{ ...deliveriesAt(RESUME_PATH), restartWebhook: true },
];

/** Milliseconds after which the service gets a response: it gives up on a delivery after 5 s. */
const RESPONSE_TIME = 4_000;

/** Milliseconds that finding out whether the wait is over may take in all, and seconds for a read. */
const CHECK_TIME = 90_000;
const TIMEOUT_SECONDS = 30;

/** Seconds for reading what comes out. */
const OUTPUT_TIME = 3;

/** Milliseconds of silence after which the node looks once more. */
const SILENCE = 10_000;

/**
 * Milliseconds before the time limit within which nothing ends the wait any more. n8n continues the
 * execution at the limit; if a notification continued it as well, both branches would run.
 */
const TOO_LATE = 2_000;

/** A verified notification for a waiting execution. */
interface Delivered extends Omit<Reader, 'options'> {
	context: IWebhookFunctions;
	notification: IDataObject & { event: string; requestId: string };
	state: WaitState;
	memory: Memory;
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
		if (!delivery.ok) return delivery.response;
		const state = readState(context);
		if (state === undefined) return respond(context, 'ignored');
		const key = `${state.executionId}/${delivery.signature}`;
		if (!(await claimDelivery(context, clock, key, MAXIMUM_AGE)))
			return respond(context, 'duplicate');
		const api = createClient({ context, connection, clock });
		const notification = { ...delivery.notification, deliveryId: delivery.deliveryId };
		const memory = memoryOfWait(state);
		return await handle({ context, connection, clock, api, notification, state, memory });
	} catch (error) {
		return respondToError(context, error);
	}
}

/** Adds to what is known, and ends the wait if it is over. Otherwise looks once more later. */
async function handle(delivered: Delivered): Promise<IWebhookResponseData> {
	const { context, notification, state, memory } = delivered;
	const { event, requestId, shareStatus } = notification;
	if (event !== UPDATED) return respond(context, 'ignored');
	memory.known = learn(memory.known, [[requestId, [shareStatus]]]);
	if (!idsOf(state.awaited).includes(requestId)) return respond(context, 'ignored');
	if (isTooLate(delivered)) return respond(context, 'waiting');
	if (shareStatus && !isReached(state.awaited, memory.known, requestId)) {
		respond(context, 'waiting');
		return await lookLater(delivered);
	}
	return (await check(delivered)) ?? (await lookLater(delivered));
}

/** Whether n8n itself ends this wait, now or soon, or a later one has begun. */
const isTooLate = ({ clock, state, memory }: Delivered) =>
	clock.now() >= latestEnd(state) || memory.startedAt !== state.startedAt;

/** When a notification can end the wait at the latest, in milliseconds since 1970. */
const latestEnd = ({ endsAt }: WaitState) => (endsAt ?? Infinity) - TOO_LATE;

/**
 * Reads what is not known yet, and ends the wait if it is over; otherwise responds, and resolves to
 * undefined. If reading takes too long, the service is told that nothing is checked yet. The reads
 * go on after that, since the notification may be the last one.
 */
async function check(delivered: Delivered): Promise<IWebhookResponseData | undefined> {
	const { context, clock, state, memory } = delivered;
	const reading = readRest(delivered);
	const slow = clock.sleep(RESPONSE_TIME).then(() => 'slow' as const);
	if ((await Promise.race([reading, slow])) === 'slow') {
		respond(context, 'notChecked', 'Delivery not checked yet: the service is slow');
	}
	const { isOver, isWaiting } = progressOf(state, memory.known, await reading);
	if (isOver) return await finish(delivered, await reading);
	const [failure] = failuresOf(await reading);
	if (isWaiting || failure === undefined) respond(context, 'waiting');
	else respond(context, 'notChecked', `Delivery not checked: ${messageOf(failure.error)}`);
	return undefined;
}

/** Notifications that arrive during a reading share the next one: it begins with all that they told. */
async function readRest(delivered: Delivered): Promise<Reading> {
	const { state, memory } = delivered;
	if (progressOf(state, memory.known, NOTHING_READ).isOver) return NOTHING_READ;
	const readNext = async () => {
		await memory.currentReading;
		memory.queuedReading = undefined;
		const reading = readPending(delivered);
		memory.currentReading = Promise.allSettled([reading]).then(() => {});
		return await reading;
	};
	memory.queuedReading ??= readNext();
	return await memory.queuedReading;
}

/** Reads as long as that can show that the wait is over, and adds the statuses to what is known. */
async function readPending(delivered: Delivered): Promise<Reading> {
	const { clock, state, memory } = delivered;
	const { isOver, pending } = progressOf(state, memory.known, NOTHING_READ);
	if (isOver || isTooLate(delivered)) return NOTHING_READ;
	const end = clock.now() + (memory.isOwn ? CHECK_TIME : RESPONSE_TIME);
	const options = () => ({ timeout: TIMEOUT_SECONDS, deadline: Math.min(end, latestEnd(state)) });
	const reading = await readEach({ ...delivered, options }, pending, (id, soFar) => {
		const progress = progressOf(state, memory.known, soFar);
		return !progress.isWaiting && progress.pending.includes(id);
	});
	if (!isTooLate(delivered)) memory.known = withRead(memory.known, reading);
	return reading;
}

/**
 * After the response, looks once more when no notification has come for a while. If many collection
 * requests are completed at the same moment, n8n may not get round to all of their notifications
 * before the service gives up on them. Only where no other process can have continued the execution
 * in the meantime: n8n would continue it a second time.
 */
async function lookLater(delivered: Delivered): Promise<IWebhookResponseData> {
	const { clock, memory } = delivered;
	const nothing = { noWebhookResponse: true };
	if (!memory.isOwn || isTooLate(delivered)) return nothing;
	memory.replaceLooker?.();
	const isReplaced = await Promise.race([
		clock.sleep(SILENCE).then(() => false),
		new Promise<boolean>((resolve) => (memory.replaceLooker = () => resolve(true))),
	]);
	if (isReplaced || isTooLate(delivered)) return nothing;
	return (await check(delivered)) ?? nothing;
}

/** Ends the wait, once: of notifications that arrive together, each may find that it is over. */
async function finish(delivered: Delivered, reading: Reading): Promise<IWebhookResponseData> {
	const { context, connection, clock, notification, state, memory } = delivered;
	const key = `${state.executionId}/${state.startedAt}`;
	if (!(await claimDelivery(context, clock, key, MAXIMUM_AGE)))
		return respond(context, 'duplicate');
	const deadline = clock.now() + OUTPUT_TIME * 1000;
	const reader = { ...delivered, options: () => ({ timeout: OUTPUT_TIME, deadline }) };
	const items = await readOutput(reader, state, memory.known, reading, notification);
	if (isTooLate(delivered)) {
		return respond(context, 'waiting', 'Too late: n8n itself has ended the wait, or is about to');
	}
	endWait(memory, state.awaited);
	const output = items.map((json, item) => {
		return { json: withoutErrorField(json), pairedItem: { item } };
	});
	return accept(context, connection, output);
}
