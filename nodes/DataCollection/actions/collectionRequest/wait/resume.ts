import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { createClient } from '../../../api/client';
import type { Clock } from '../../../clock';
import { systemClock } from '../../../clock';
import type { Connection } from '../../../credential/connection';
import { getConnection } from '../../../credential/connection';
import { MAXIMUM_AGE } from '../../../fields';
import { withoutErrorField } from '../../../sanitize';
import { claimDelivery } from '../../../webhook/deduplication';
import { notificationItem, UPDATED } from '../../../webhook/notification';
import { accept, deliveriesAt, respondToError, receive, respond } from '../../../webhook/receive';
import { RESUME_PATH } from '../../workflow';
import type { Reading } from './reading';
import { doneItems, errorsOf, noteStatus, progressOf, readEach } from './reading';
import type { WaitState, WatchedWait } from './state';
import { isNewest, storedState, watchedWait } from './state';

export const resumeWebhooks: IWebhookDescription[] = [
	{ ...deliveriesAt(RESUME_PATH), restartWebhook: true },
];

/** Milliseconds after which the service gets a response: it gives up on a delivery after 5 s. */
const RESPONSE_TIME = 4_000;

/** Milliseconds for one look at all that is missing, and seconds for one attempt to read. */
const LOOK_TIME = 90_000;
const TIMEOUT_SECONDS = 30;

/** Seconds for reading what comes out. */
const OUTPUT_TIME = 3;

/** Milliseconds of silence after which it looks one last time. */
const SILENCE = 10_000;

/**
 * Milliseconds before the time limit within which nothing ends the wait any more. n8n continues the
 * execution at the limit; if a notification continued it as well, both branches would run.
 */
const TOO_LATE = 2_000;

/** A call of a waiting execution's webhook, with a verified notification that it waits for. */
interface Call {
	context: IWebhookFunctions;
	connection: Connection;
	clock: Clock;
	state: WaitState;
	wait: WatchedWait;
}

/**
 * Ends the wait when a notification reports the last awaited status. n8n has already checked the
 * token in the URL; this also checks the signature. Never throws: that would end the wait.
 */
export async function resume(
	context: IWebhookFunctions,
	clock: Clock = systemClock,
): Promise<IWebhookResponseData> {
	try {
		const connection = await getConnection(context);
		const state = storedState(context);
		const maximumAge = state?.maximumAge ?? MAXIMUM_AGE;
		const delivery = await receive(context, connection, maximumAge, new Date(clock.now()));
		if (!delivery.ok) return delivery.fault;

		const { notification, signature, deliveryId } = delivery.value;
		const { event, requestId, shareStatus } = notification;
		if (event !== UPDATED || !state?.requestIds.includes(requestId)) {
			return respond(context, 'ignored');
		}
		const key = `${state.executionId}/${signature}`;
		if (!(await claimDelivery(context, clock, key, maximumAge))) {
			return respond(context, 'duplicate');
		}
		const wait = watchedWait(state);
		const call = { context, connection, clock, state, wait };
		if (isTooLate(call)) return respond(context, 'waiting');
		noteStatus(wait, requestId, shareStatus);
		wait.notifications += 1;
		wait.last = notificationItem(notification, connection.collectUrl, deliveryId);
		if (!wait.isWatched) return await watch(call);
		// Where the wait began elsewhere, the call at work may have no time left for this one.
		return respond(context, wait.isOwn ? 'waiting' : 'notChecked');
	} catch (error) {
		return respondToError(context, error);
	}
}

/** Whether n8n itself ends this wait, now or soon, or a later one has begun. */
const isTooLate = ({ clock, state }: Call) => clock.now() >= latestEnd(state) || !isNewest(state);

/** When a notification can end the wait at the latest, in milliseconds since 1970. */
const latestEnd = ({ endsAt }: WaitState) => (endsAt ?? Infinity) - TOO_LATE;

/**
 * Finds out whether the wait is over, and if so, ends it. Otherwise looks once more after ten seconds
 * without a notification: if many collection requests are completed at the same moment, n8n may not
 * get round to all of their notifications before the service gives up on them. Only where the wait
 * began: another process may continue the execution as well.
 */
async function watch(call: Call): Promise<IWebhookResponseData> {
	const { context, clock, wait } = call;
	const respondBy = clock.now() + RESPONSE_TIME;
	for (let isLastLook = false; ; isLastLook = true) {
		wait.isWatched = true;
		const { seen, reading } = await lookWhileNews(call, respondBy).finally(() => {
			wait.isWatched = false;
		});
		if (isTooLate(call)) return respond(context, 'waiting');
		if (progressOf(wait, reading).isOver) return await finish(call, reading);
		respondTo(call, reading);
		if (!wait.isOwn || isLastLook) return { noWebhookResponse: true };
		await clock.sleep(SILENCE);
		// The call with the next notification looks for itself.
		if (wait.notifications > seen) return { noWebhookResponse: true };
	}
}

/** Looks, and looks again if there was another notification meanwhile. */
async function lookWhileNews(call: Call, respondBy: number) {
	const { clock, wait } = call;
	for (;;) {
		const seen = wait.notifications;
		const reading = await look(call, respondBy);
		const mayLook = wait.isOwn || clock.now() < respondBy;
		const isDone = progressOf(wait, reading).isOver || isTooLate(call);
		if (isDone || !mayLook || wait.notifications === seen) return { seen, reading };
	}
}

/** Reads what is missing as long as that can show that the wait is over. Responds if it takes long. */
async function look(call: Call, respondBy: number): Promise<Reading> {
	const { context, clock, state, wait } = call;
	const { isOver, pending } = progressOf(wait, new Map());
	if (isOver) return new Map();
	const end = wait.isOwn ? clock.now() + LOOK_TIME : respondBy;
	const options = { timeout: TIMEOUT_SECONDS, deadline: Math.min(end, latestEnd(state)) };
	const isNeeded = (id: string, soFar: Reading) => {
		const { mayBeOver, pending: still } = progressOf(wait, soFar);
		return mayBeOver && still.includes(id);
	};
	const reading = readEach({ ...readerOf(call), options }, wait, pending, isNeeded);
	if (!context.getResponseObject().headersSent) {
		const slow = clock.sleep(Math.max(0, respondBy - clock.now())).then(() => 'slow' as const);
		if ((await Promise.race([reading, slow])) === 'slow') {
			respond(context, 'notChecked', 'Delivery not checked yet: the service is slow');
		}
	}
	return await reading;
}

const readerOf = ({ context, connection, clock }: Call) => {
	return { api: createClient({ context, connection, clock }), connection, clock };
};

/** Tells the service that the wait goes on, or, if a failed read could be the last one, nothing. */
function respondTo({ context, wait }: Call, reading: Reading): void {
	const [error] = progressOf(wait, reading).mayBeOver ? errorsOf(reading) : [];
	if (error === undefined) respond(context, 'waiting');
	else respond(context, 'notChecked', `Delivery not checked: ${error.message}`);
}

/** Ends the wait, once: several processes may find that it is over. */
async function finish(call: Call, reading: Reading): Promise<IWebhookResponseData> {
	const { context, connection, clock, state, wait } = call;
	const key = `${state.executionId}/${state.startedAt}`;
	if (!(await claimDelivery(context, clock, key, MAXIMUM_AGE))) {
		return respond(context, 'duplicate');
	}
	const options = { timeout: OUTPUT_TIME, deadline: clock.now() + OUTPUT_TIME * 1000 };
	const done = await doneItems({ ...readerOf(call), options }, wait, reading, wait.last);
	if (isTooLate(call)) {
		return respond(context, 'waiting', 'Too late: n8n itself has ended the wait, or is about to');
	}
	const items = done.map((json, index) => {
		return { json: withoutErrorField(json), pairedItem: { item: index } };
	});
	return accept(context, connection, [items, []]);
}
