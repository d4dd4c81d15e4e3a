import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { clock } from '../basics/clock';
import { transportOf } from '../n8n/http';
import { toItems } from '../n8n/itemResults';
import { mayEndBefore } from '../n8n/suspension';
import { accept, deliveriesAt, deliveryOf, waitUntilAccepted } from '../n8n/webhookRequest';
import { createClient } from '../service/client';
import { hasStatus } from '../service/collectionRequest';
import type { Connection } from '../service/connection';
import { notificationItem, UPDATED, type Verified } from '../service/notification';
import { verifyDelivery } from '../service/signature';
import { refuse, respond, respondToError } from '../shared/deliveryResponses';
import { claimDelivery } from '../shared/duplicates';
import { inviteesOf, storedItemsOfCreates } from '../shared/earlierInvitees';
import { MAXIMUM_AGE } from '../shared/fields';
import { getConnection } from '../shared/getConnection';
import { noteStatus, progressOf } from './progress';
import { doneItems, readAtNotification, type Reader } from './readRequests';
import { claimEnd, isNewest, type RememberedWait, type Readings, waitOf } from './waitState';

/** The last segment of the resume URL, so that no other Wait node receives these notifications. */
export const RESUME_PATH = 'data-collection';

export const resumeWebhooks: IWebhookDescription[] = [
	{ ...deliveriesAt(RESUME_PATH), restartWebhook: true },
];

/** Milliseconds for all reads: the service gives up after 5 s, and n8n has work to do, too. */
const READ_TIME = 4_000;

const NOT_STORED =
	'Delivery not handled: n8n has not kept what this wait is for, so no notification can end it. Stop the execution, and wait for its collection requests in a new one, by request ID';

interface Call {
	context: IWebhookFunctions;
	connection: Connection;
	wait: RememberedWait;
	delivery: Verified;
	/** Milliseconds since 1970. All reads end before it. */
	deadline: number;
}

/** Checks the signature; n8n has checked the token. Never throws: that would end the wait. */
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
		const isHandled = async () => await waitUntilAccepted(context);
		const key = `${wait.executionId}/${signature}`;
		if (!(await claimDelivery(key, maximumAge, isHandled))) {
			return respond(context, 'duplicate');
		}
		return await check({ context, connection, wait, delivery: delivery.value, deadline });
	} catch (error) {
		return respondToError(context, error);
	}
}

async function check(call: Call): Promise<IWebhookResponseData> {
	const { context, wait, delivery } = call;
	const { requestId, shareStatus } = delivery.notification;
	if (isTooLate(call)) return respond(context, 'waiting');
	noteStatus(wait, requestId, shareStatus);
	// What was read before this was reported is no longer true.
	wait.read?.delete(requestId);
	let reading: Readings = new Map();
	if (!progressOf(wait, reading).isDone) {
		if (shareStatus && !hasStatus(wait.statuses, shareStatus)) return respond(context, 'waiting');
		// The reads under way may have begun before this notification, so this reads once more.
		const isJoined = wait.pendingReads !== undefined;
		reading = await readTogether(call);
		if (isJoined && !progressOf(wait, reading).isDone) reading = await readTogether(call);
	}
	const { isDone, unreachedAllowed, error } = progressOf(wait, reading);
	if (isTooLate(call)) return respond(context, 'waiting');
	const reads = [...(wait.read ?? []), ...reading];
	if (isDone) return await finish(call, new Map(reads));
	// If a read that could end the wait has failed, the service is to send the notification again.
	const isChecked = error === undefined || unreachedAllowed < 0;
	wait.read = isChecked ? undefined : new Map(reads.filter(([id]) => wait.reached.has(id)));
	if (isChecked) return respond(context, 'waiting');
	return respond(context, 'notChecked', `Delivery not checked: ${error.message}`);
}

/** Whether n8n itself ends this wait, now or soon, or a later wait has begun. */
const isTooLate = ({ wait }: Call) => !mayEndBefore(wait.endsAt) || !isNewest(wait);

const readTogether = async (call: Call): Promise<Readings> =>
	await (call.wait.pendingReads ??= readAtNotification(readerOf(call), call.wait).finally(
		() => (call.wait.pendingReads = undefined),
	));

/** Each time a new client: the pauses that the service asked for before do not count. */
const readerOf = ({ context, connection, deadline }: Call): Reader => {
	const session = { connection, ...transportOf(context, connection.credential) };
	return { api: createClient(session), connection, deadline };
};

/** Several notifications may get here. The first one ends the wait. */
async function finish(call: Call, reading: Readings): Promise<IWebhookResponseData> {
	const { context, connection, wait, delivery } = call;
	if (!(await claimEnd(wait, async () => await waitUntilAccepted(context)))) {
		return respond(context, 'duplicate');
	}
	const invitees = inviteesOf(() => storedItemsOfCreates(context));
	const item = notificationItem(delivery, connection.collectUrl);
	const done = await doneItems(readerOf(call), wait, reading, item);
	for (const read of reading.values()) if (read.ok) invitees.learn(read.value);
	if (isTooLate(call)) {
		return respond(context, 'waiting', 'Too late: n8n itself has ended the wait, or is about to');
	}
	const finished = done.map((item) => connection.redactor.item(invitees.addTo(item)));
	const items = finished.flatMap((value, itemIndex) => toItems({ ok: true, value, itemIndex }));
	return accept([items, []]);
}
