import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { clock } from '../basics/clock';
import { accept, deliveriesAt, deliveryOf, isAccepted } from '../n8n/delivery';
import { callsOf } from '../n8n/http';
import { withoutErrorField } from '../n8n/items';
import { mayEndBefore } from '../n8n/suspension';
import { MAXIMUM_AGE } from '../requests/commonFields';
import { getConnection } from '../requests/getConnection';
import { refuse, respond, respondToError } from '../requests/outcomes';
import { ownersOf, storedBefore } from '../requests/owners';
import { createClient } from '../service/client';
import type { Connection } from '../service/connection';
import { hasStatus, notificationItem, UPDATED, type Verified } from '../service/notification';
import { claimDelivery } from '../service/seen';
import { verifyDelivery } from '../service/signature';
import { claimEnd, isNewest, type KnownWait, type Reading, waitOf } from './known';
import { doneItems, look, noteStatus, progressOf, type Reader } from './progress';

/** The last segment of the resume URL, so that no other Wait node receives our notifications. */
export const RESUME_PATH = 'data-collection';

export const resumeWebhooks: IWebhookDescription[] = [
	{ ...deliveriesAt(RESUME_PATH), restartWebhook: true },
];

/**
 * Milliseconds for all reads, also of what is output: the service gives up on a delivery after 5 s, and
 * n8n has to find the execution before, and to store it afterwards.
 */
const READ_TIME = 4_000;

/** For n8n's log, if n8n no longer has what a wait is for. */
const NOT_STORED =
	'Delivery not handled: n8n has not kept what this wait is for, so no notification can end it. Stop the execution, and wait for its collection requests in a new one, by request ID';

/** A call of a waiting execution's webhook, with a verified notification that it waits for. */
interface Call {
	context: IWebhookFunctions;
	connection: Connection;
	wait: KnownWait;
	delivery: Verified;
	/** No read begins after this, or goes on; milliseconds since 1970. */
	deadline: number;
}

/**
 * Ends the wait when a notification reports the last awaited status. n8n has already checked the
 * token in the URL; this also checks the signature. Never throws: that would end the wait.
 */
export async function resume(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const deadline = clock.now() + READ_TIME;
	try {
		const connection = await getConnection(context);
		const wait = waitOf(context);
		const maximumAge = wait?.maximumAge ?? MAXIMUM_AGE;
		const delivery = verifyDelivery(await deliveryOf(context), connection, maximumAge);
		if (!delivery.ok) return refuse(context, delivery.error);

		const { notification, signature } = delivery.value;
		const { event, requestId } = notification;
		if (wait === undefined) return respond(context, 'notHandled', NOT_STORED);
		if (event !== UPDATED || !wait.requestIds.includes(requestId)) {
			return respond(context, 'ignored');
		}
		const isHandled = async () => await isAccepted(context);
		const key = `${wait.executionId}/${signature}`;
		if (!(await claimDelivery(key, maximumAge, isHandled))) {
			return respond(context, 'duplicate');
		}
		return await check({ context, connection, wait, delivery: delivery.value, deadline });
	} catch (error) {
		return respondToError(context, error);
	}
}

/** Notes what a notification reports, finds out whether the wait is over, and if so, ends it. */
async function check(call: Call): Promise<IWebhookResponseData> {
	const { context, wait, delivery } = call;
	const { requestId, shareStatus } = delivery.notification;
	if (isTooLate(call)) return respond(context, 'waiting');
	noteStatus(wait, requestId, shareStatus);
	let reading: Reading = new Map();
	if (!progressOf(wait, reading).isDone) {
		// Another status than those awaited cannot have ended the wait.
		if (shareStatus && !hasStatus(wait.statuses, shareStatus)) return respond(context, 'waiting');
		// A look that is under way may have read before this notification, so another one makes sure.
		const isJoined = wait.look !== undefined;
		reading = await lookTogether(call);
		if (isJoined && !progressOf(wait, reading).isDone) reading = await lookTogether(call);
	}
	const { isDone, spare, error } = progressOf(wait, reading);
	if (isTooLate(call)) return respond(context, 'waiting');
	const reads = [...(wait.read ?? []), ...reading];
	if (isDone) return await finish(call, new Map(reads));
	// If a read has failed that could end the wait, the notification does not count as handled.
	const isChecked = error === undefined || spare < 0;
	wait.read = isChecked ? undefined : new Map(reads.filter(([id]) => wait.reached.has(id)));
	if (isChecked) return respond(context, 'waiting');
	return respond(context, 'notChecked', `Delivery not checked: ${error.message}`);
}

/** Whether n8n itself ends this wait, now or soon, or a later one has begun. */
const isTooLate = ({ wait }: Call) => !mayEndBefore(wait.endsAt) || !isNewest(wait);

/** Takes part in the look that is under way, or begins one. */
const lookTogether = async (call: Call): Promise<Reading> =>
	await (call.wait.look ??= look(readerOf(call), call.wait).finally(
		() => (call.wait.look = undefined),
	));

/** A reader of its own for each look: the pauses that the service asked for before do not count. */
const readerOf = ({ context, connection, deadline }: Call): Reader => {
	const session = { connection, ...callsOf(context, connection.credential) };
	return { api: createClient(session), connection, deadline };
};

/** Ends the wait, once: several notifications may find that it is over. */
async function finish(call: Call, reading: Reading): Promise<IWebhookResponseData> {
	const { context, connection, wait, delivery } = call;
	if (!(await claimEnd(wait, async () => await isAccepted(context)))) {
		return respond(context, 'duplicate');
	}
	const owners = ownersOf(() => storedBefore(context));
	const item = notificationItem(delivery, connection.collectUrl);
	const done = await doneItems(readerOf(call), wait, reading, item);
	for (const read of reading.values()) if (read.ok) owners.learn(read.value);
	if (isTooLate(call)) {
		return respond(context, 'waiting', 'Too late: n8n itself has ended the wait, or is about to');
	}
	const items = done.map((json, item) => ({
		json: connection.redactor.item(owners.addTo(withoutErrorField(json))),
		pairedItem: { item },
	}));
	return accept([items, []]);
}
