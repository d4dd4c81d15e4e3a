import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { systemClock } from '../../../clock';
import { readConnection } from '../../../credential/connection';
import { MAXIMUM_AGE } from '../../../fields';
import { claimDelivery } from '../../../webhook/deduplication';
import { UPDATED } from '../../../webhook/notification';
import { accept, deliveriesAt, respondToError, receive, respond } from '../../../webhook/receive';
import { RESUME_PATH } from '../notify';
import type { Delivered } from './check';
import { check, latestEnd, readerOf, waitKey } from './check';
import type { Reading } from './reading';
import { isGone, progressOf, readOutput } from './reading';
import { addStatus, idsOf, isReached, memoryOf, noteEnd, readState } from './state';

export const resumeWebhooks: IWebhookDescription[] = [
	{ ...deliveriesAt(RESUME_PATH), restartWebhook: true },
];

/** Seconds for reading what comes out. */
const OUTPUT_TIME = 3;

/** Milliseconds of silence after which the node looks once more. */
const SILENCE = 10_000;

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
		const memory = memoryOf(state.executionId);
		return await handle({ context, connection, clock, notification, state, memory });
	} catch (error) {
		return respondToError(context, error);
	}
}

/** Adds to what is known, checks whether the wait is over, and ends it if it is. */
async function handle(delivered: Delivered): Promise<IWebhookResponseData> {
	const { clock, context, notification, state, memory } = delivered;
	const { event, requestId, shareStatus } = notification;
	const { known } = memory;
	for (const [id, statuses] of state.known) for (const one of statuses) addStatus(known, id, one);
	if (event !== UPDATED) return respond(context, 'ignored');
	addStatus(known, requestId, shareStatus);
	if (!idsOf(state.awaited).includes(requestId)) return respond(context, 'ignored');

	if (clock.now() >= latestEnd(state)) return respond(context, 'waiting');
	if (shareStatus && !isReached(state.awaited, known, requestId)) respond(context, 'waiting');
	else {
		const reading = await check(delivered);
		const { isOver, isWaiting } = progressOf(state, known, reading);
		if (isOver) return await endWait(delivered, reading);
		const failure = [...reading.failures.values()].find((error) => !isGone(error));
		if (isWaiting || failure === undefined) respond(context, 'waiting');
		else respond(context, 'notChecked', `Delivery not checked: ${String(failure)}`);
	}
	return await lookLater(delivered);
}

/** For each wait, what tells the call that will look later that another one does. */
const lookers = new Map<string, () => void>();

/**
 * After the response, looks once more when no notification has come for a while. If many collection
 * requests are completed at the same moment, n8n may not get round to all of their notifications
 * before the service gives up on them. Only where no other process can have continued the execution
 * in the meantime: n8n would continue it a second time.
 */
async function lookLater(delivered: Delivered): Promise<IWebhookResponseData> {
	const { clock, state, memory } = delivered;
	const nothing = { noWebhookResponse: true };
	if (memory.startedAt === undefined) return nothing;
	const key = waitKey(state);
	lookers.get(key)?.();
	const isReplaced = await new Promise<boolean>((resolve) => {
		lookers.set(key, () => resolve(true));
		void clock.sleep(SILENCE).then(() => resolve(false));
	});
	if (isReplaced) return nothing;
	lookers.delete(key);
	if (clock.now() >= latestEnd(state)) return nothing;
	const reading = await check(delivered);
	const { isOver } = progressOf(state, memory.known, reading);
	return isOver ? await endWait(delivered, reading) : nothing;
}

/** Ends the wait, once: of notifications that arrive together, each may find that it is over. */
async function endWait(delivered: Delivered, reading: Reading): Promise<IWebhookResponseData> {
	const { context, connection, clock, notification, state, memory } = delivered;
	const { known } = memory;
	if (!(await claimDelivery(context, waitKey(state), MAXIMUM_AGE))) {
		return respond(context, 'duplicate');
	}
	const reader = readerOf(delivered, OUTPUT_TIME, clock.now() + OUTPUT_TIME * 1000);
	const items = await readOutput(reader, state, known, reading, notification);
	const isLater = memory.startedAt !== undefined && memory.startedAt !== state.startedAt;
	if (isLater || clock.now() >= latestEnd(state)) {
		return respond(context, 'waiting', 'Too late: n8n itself has ended the wait, or is about to');
	}
	noteEnd(state.executionId, state.awaited);
	return accept(
		context,
		connection,
		items.map((json, item) => ({ json, pairedItem: { item } })),
	);
}
