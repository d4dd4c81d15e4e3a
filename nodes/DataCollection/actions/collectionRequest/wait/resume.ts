import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { createClient } from '../../../api/client';
import type { Clock } from '../../../clock';
import { systemClock } from '../../../clock';
import { readConnection } from '../../../credential/connection';
import { includes } from '../../../webhook/notification';
import {
	accept,
	notConfigured,
	refuse,
	respond,
	RESPONSE_OF_THE_NODE,
} from '../../../webhook/responses';
import { MAXIMUM_AGE, readDelivery, verifyDelivery } from '../../../webhook/verifyDelivery';
import type { WaitState } from './awaited';
import { readAwaited } from './awaited';
import { RESUME_PATH } from './resumeUrl';

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
	const api = createClient(context, connection, clock);
	const own = { ...delivery.notification, deliveryId: delivery.deliveryId };
	const { items, isMissing, failures } = await readAwaited({ api, clock, connection }, state, own);
	if (isMissing) return respond(context, 'waiting');
	if (failures.length === 0) {
		return accept(items.map((json, item) => ({ json, pairedItem: { item } })));
	}
	context.logger.warn(`Delivery not checked: ${String(failures[0])}`, {
		workflowId: context.getWorkflow().id,
		node: context.getNode().name,
	});
	return respond(context, 'notChecked');
}

/** What the node has kept: an expression is the only way to it from a webhook. */
function stateOf(context: IWebhookFunctions): WaitState {
	// Whatever a node is called, its name must not end the text or the expression.
	const name = context
		.getNode()
		.name.replace(
			/[^A-Za-z0-9 ]/g,
			(unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
		);
	const kept: unknown = context.evaluateExpression(`{{ $("${name}").context.dataCollection }}`);
	return { awaited: [], includeShare: false, ...(kept as Partial<WaitState> | undefined) };
}
