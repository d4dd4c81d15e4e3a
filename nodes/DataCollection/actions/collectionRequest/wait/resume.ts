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
import { accept, deliveriesAt, receive, respond, respondToError } from '../../../webhook/receive';
import type { Reader, Reading } from './reading';
import { doneItems, getEach, noteStatus, progressOf } from './reading';
import type { Wait, WatchedWait } from './state';
import { isNewest, storedWait, watchedWait } from './state';

/** The last segment of the resume URL, so that no other Wait node receives our notifications. */
export const RESUME_PATH = 'data-collection';

export const resumeWebhooks: IWebhookDescription[] = [
	{ ...deliveriesAt(RESUME_PATH), restartWebhook: true },
];

/** Milliseconds after which the service gets a response: it gives up on a delivery after 5 s. */
const RESPONSE_TIME = 4_000;

/** Milliseconds for one look at all that is missing, and for reading what comes out. */
const LOOK_TIME = 90_000;
const OUTPUT_TIME = 3_000;

/** Milliseconds of silence after which it looks one last time. */
const SILENCE = 10_000;

/**
 * Milliseconds before the time limit within which nothing ends the wait any more. n8n continues the
 * execution at the limit; if a notification continued it as well, both branches would run.
 */
const TOO_LATE = 2_000;

/** For n8n's log. Only the time limit of such a wait can end it. */
const NOT_STORED =
	'Delivery not handled: n8n has not kept what this wait is for, so no notification can end it. Stop the execution, and wait for its collection requests in a new one, by request ID';

/** A call of a waiting execution's webhook, with a verified notification that it waits for. */
interface Call {
	context: IWebhookFunctions;
	connection: Connection;
	clock: Clock;
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
		const stored = storedWait(context);
		const maximumAge = stored?.maximumAge ?? MAXIMUM_AGE;
		const delivery = await receive(context, connection, maximumAge, new Date(clock.now()));
		if (!delivery.ok) return delivery.fault;

		const { notification, signature, deliveryId } = delivery.value;
		const { event, requestId, shareStatus } = notification;
		if (stored === undefined) return respond(context, 'notHandled', NOT_STORED);
		if (event !== UPDATED || !stored.requestIds.includes(requestId)) {
			return respond(context, 'ignored');
		}
		const key = `${stored.executionId}/${signature}`;
		if (!(await claimDelivery(context, clock, key, maximumAge))) {
			return respond(context, 'duplicate');
		}
		const wait = watchedWait(stored);
		const call = { context, connection, clock, wait };
		if (isTooLate(call)) return respond(context, 'waiting');
		noteStatus(wait, requestId, shareStatus);
		wait.last = notificationItem(notification, connection.collectUrl, deliveryId);
		if (!wait.isWatched) return await watch(call);
		// Where the wait began elsewhere, the call at work may have no time left for this one.
		return respond(context, wait.isOwn ? 'waiting' : 'notChecked');
	} catch (error) {
		return respondToError(context, error);
	}
}

/** Whether n8n itself ends this wait, now or soon, or a later one has begun. */
const isTooLate = ({ clock, wait }: Call) => clock.now() >= latestEnd(wait) || !isNewest(wait);

/** When a notification can end the wait at the latest, in milliseconds since 1970. */
const latestEnd = ({ endsAt }: Wait) => endsAt - TOO_LATE;

/**
 * Finds out whether the wait is over, and if so, ends it. Looks again if there was another notification
 * meanwhile, and once more after ten seconds without one: if many collection requests are completed at
 * the same moment, n8n may not get round to all of their notifications before the service gives up on
 * them. Only where the wait began: another process may continue the execution as well.
 */
async function watch(call: Call): Promise<IWebhookResponseData> {
	const { context, clock, wait } = call;
	const respondBy = clock.now() + RESPONSE_TIME;
	for (let isLastLook = false; ; ) {
		const seen = wait.last;
		wait.isWatched = true;
		const reading = await look(call, respondBy).finally(() => {
			wait.isWatched = false;
		});
		const { isOver, mayBeOver, error } = progressOf(wait, reading);
		if (isTooLate(call)) return respond(context, 'waiting');
		if (isOver) return await finish(call, reading);
		if (wait.last !== seen && (wait.isOwn || clock.now() < respondBy)) {
			isLastLook = false;
			continue;
		}

		// If a read has failed that could end the wait, the notification does not count as handled.
		if (!error || !mayBeOver) respond(context, 'waiting');
		else respond(context, 'notChecked', `Delivery not checked: ${error.message}`);
		if (!wait.isOwn || isLastLook) return { noWebhookResponse: true };
		await clock.timeout(SILENCE);
		// The call with the next notification looks for itself.
		if (wait.last !== seen) return { noWebhookResponse: true };
		isLastLook = true;
	}
}

/** Reads what is missing as long as that can show that the wait is over. Responds if it takes long. */
async function look(call: Call, respondBy: number): Promise<Reading> {
	const { context, clock, wait } = call;
	const reading: Reading = new Map();
	const { isOver, pending } = progressOf(wait, reading);
	if (isOver) return reading;
	const end = wait.isOwn ? clock.now() + LOOK_TIME : respondBy;
	const reader = readerOf(call, Math.min(end, latestEnd(wait)));
	const isNeeded = (id: string) => !wait.reached.has(id) && progressOf(wait, reading).mayBeOver;
	const done = getEach(reader, wait, reading, pending, isNeeded).then(() => 'done' as const);
	if (!context.getResponseObject().headersSent) {
		const slow = clock.timeout(Math.max(0, respondBy - clock.now()));
		if ((await Promise.race([done, slow])) !== 'done') {
			respond(context, 'notChecked', 'Delivery not checked yet: the service is slow');
		}
	}
	await done;
	return reading;
}

/** A reader of its own for each look: the pauses that the service asked for before do not count. */
const readerOf = ({ context, connection, clock }: Call, deadline: number): Reader => {
	return { api: createClient({ context, connection, clock }), connection, clock, deadline };
};

/** Ends the wait, once: several notifications may find that it is over. */
async function finish(call: Call, reading: Reading): Promise<IWebhookResponseData> {
	const { context, connection, clock, wait } = call;
	const key = `${wait.executionId}/${wait.startedAt}`;
	if (!(await claimDelivery(context, clock, key, MAXIMUM_AGE))) {
		return respond(context, 'duplicate');
	}
	const reader = readerOf(call, clock.now() + OUTPUT_TIME);
	const done = await doneItems(reader, wait, reading, wait.last);
	if (isTooLate(call)) {
		return respond(context, 'waiting', 'Too late: n8n itself has ended the wait, or is about to');
	}
	const items = done.map((json, item) => ({ json: withoutErrorField(json), pairedItem: { item } }));
	return accept(context, connection, [items, []]);
}
