import type {
	IDataObject,
	INodeExecutionData,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { createClient } from '../../../api/client';
import type { CollectionRequest } from '../../../api/types';
import type { Clock } from '../../../clock';
import { systemClock } from '../../../clock';
import { mapConcurrently } from '../../../concurrency';
import type { Connection } from '../../../credential/connection';
import { readConnection } from '../../../credential/connection';
import {
	accept,
	notConfigured,
	refuse,
	respond,
	RESPONSE_OF_THE_NODE,
} from '../../../webhook/responses';
import type { Verified } from '../../../webhook/verifyDelivery';
import { includes, readDelivery, verifyDelivery } from '../../../webhook/verifyDelivery';
import type { WaitState } from './awaited';
import { awaitedItem, READS_AT_ONCE, readWithShare } from './awaited';
import { RESUME_PATH } from './resumeUrl';

/** Seconds that a signed timestamp may differ from now, as the trigger's default. */
const MAXIMUM_AGE = 300;

/** Seconds for all reads before the response: the service gives up a delivery after 5. */
const READ_BUDGET = 3;

/** Where n8n takes the notifications that can end the wait. */
export const resumeWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		responseData: RESPONSE_OF_THE_NODE,
		path: RESUME_PATH,
		restartWebhook: true,
	},
];

/**
 * Ends the wait when a notification reports the last awaited status. n8n has checked the token of the
 * URL, this checks the signature as well. n8n stores nothing of a notification that does not end the
 * wait, so the service is asked about the other requests. Never throws: that would end the wait.
 */
export async function resume(
	context: IWebhookFunctions,
	clock: Clock = systemClock,
): Promise<IWebhookResponseData> {
	try {
		return await handleDelivery(context, clock);
	} catch (error) {
		return notConfigured(context, error);
	}
}

async function handleDelivery(
	context: IWebhookFunctions,
	clock: Clock,
): Promise<IWebhookResponseData> {
	const connection = await readConnection(context);
	if (connection.verificationSecrets.length === 0) return notConfigured(context);

	const now = new Date(clock.now());
	const delivery = verifyDelivery(await readDelivery(context), connection, MAXIMUM_AGE, now);
	if (delivery.outcome !== 'verified') return refuse(context, connection, delivery);

	const { requestId, shareStatus } = delivery.notification;
	const state = stateOf(context);
	const reported = state.awaited.filter((entry) => entry.requestId === requestId);
	if (reported.length === 0) return respond(context, 'ignored');
	if (shareStatus && !reported.every(({ statuses }) => includes(statuses, shareStatus))) {
		return respond(context, 'waiting');
	}
	const items = await readAll(context, clock, connection, state, delivery);
	return typeof items === 'string' ? respond(context, items) : accept(items);
}

/** What the node has kept: an expression is the only way to it from a webhook. */
function stateOf(context: IWebhookFunctions): WaitState {
	// Whatever a node is called, its name must not end the text or the expression.
	const name = [...context.getNode().name].map(escaped).join('');
	const kept: unknown = context.evaluateExpression(`{{ $("${name}").context.dataCollection }}`);
	return { awaited: [], includeShare: false, ...(kept as Partial<WaitState> | undefined) };
}

const escaped = (char: string) =>
	/[A-Za-z0-9 ]/.test(char)
		? char
		: char.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Reads every awaited request, concurrently, and stops at the first that is not there yet. The items
 * in the order of the input, or why the wait goes on.
 */
async function readAll(
	context: IWebhookFunctions,
	clock: Clock,
	connection: Connection,
	{ awaited, includeShare }: WaitState,
	{ notification, deliveryId }: Verified,
): Promise<INodeExecutionData[] | 'waiting' | 'notChecked'> {
	const api = createClient(context, connection, clock);
	const options = { timeout: READ_BUDGET, deadline: clock.now() + READ_BUDGET * 1000 };
	const ids = [...new Set(awaited.map(({ requestId }) => requestId))];
	const found = new Map<string, CollectionRequest & IDataObject>();
	let isMissing = false;
	const statusOf = (requestId: string) =>
		(requestId === notification.requestId ? notification.shareStatus : undefined) ??
		found.get(requestId)?.shareStatus;

	await mapConcurrently(
		ids.length,
		READS_AT_ONCE,
		async (index) => {
			const id = ids[index] ?? '';
			if (isMissing) return;
			const current = await readWithShare(api, id, includeShare, options).catch(() => undefined);
			if (current === undefined) return;
			found.set(id, current);
			isMissing ||= awaited.some(
				({ requestId, statuses }) => requestId === id && !includes(statuses, statusOf(id)),
			);
		},
		async () => await clock.sleep(0),
	);
	if (isMissing) return 'waiting';
	if (found.size < ids.length) return 'notChecked';
	return awaited.flatMap(({ requestId }, item) => {
		const current = found.get(requestId);
		if (current === undefined) return [];
		const own = requestId === notification.requestId ? { ...notification, deliveryId } : null;
		return [{ json: awaitedItem(connection.collectUrl, current, own), pairedItem: { item } }];
	});
}
