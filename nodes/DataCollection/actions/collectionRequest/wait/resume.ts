import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { createClient } from '../../../api/client';
import { systemClock } from '../../../clock';
import { readConnection } from '../../../credential/connection';
import { includes } from '../../../webhook/notification';
import { accept, deliveriesAt, notHandled, receive, respond } from '../../../webhook/receive';
import { MAXIMUM_AGE } from '../../../webhook/verifyDelivery';
import type { WaitState } from './awaited';
import { readAwaited } from './awaited';
import { RESUME_PATH } from './resumeUrl';

export const resumeWebhooks: IWebhookDescription[] = [
	{ ...deliveriesAt(RESUME_PATH), restartWebhook: true },
];

/**
 * Ends the wait when a notification reports the last awaited status. n8n has already checked the
 * token in the URL; this also checks the signature. n8n stores nothing from a notification that
 * does not end the wait, so this reads all awaited collection requests again. Never throws: that
 * would end the wait.
 */
export async function resume(
	context: IWebhookFunctions,
	clock = systemClock,
): Promise<IWebhookResponseData> {
	try {
		const connection = await readConnection(context);
		const delivery = await receive(context, connection, MAXIMUM_AGE, new Date(clock.now()));
		if (delivery === undefined) return { noWebhookResponse: true };

		const { requestId, shareStatus } = delivery.notification;
		const state = stateOf(context);
		const reported = state.awaited.filter((entry) => entry.requestId === requestId);
		if (reported.length === 0) return respond(context, 'ignored');
		if (shareStatus && !reported.every(({ statuses }) => includes(statuses, shareStatus))) {
			return respond(context, 'waiting');
		}
		const api = createClient({ context, connection, clock });
		const own = { ...delivery.notification, deliveryId: delivery.deliveryId };
		const reading = await readAwaited({ api, clock, connection }, state, own);
		if (reading.isMissing) return respond(context, 'waiting');
		if (reading.failures.length > 0) {
			return respond(context, 'notChecked', `Delivery not checked: ${String(reading.failures[0])}`);
		}
		return accept(
			connection,
			reading.items.map((json, item) => ({ json, pairedItem: { item } })),
		);
	} catch (error) {
		return notHandled(context, error);
	}
}

/** Reads what the node stored. In a webhook call, only an expression can do that. */
function stateOf(context: IWebhookFunctions): WaitState {
	// Whatever the node's name is, it must not end the string or the expression.
	const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
	const name = context.getNode().name.replace(/[^A-Za-z0-9 ]/g, escaped);
	const kept: unknown = context.evaluateExpression(`{{ $("${name}").context.dataCollection }}`);
	return { awaited: [], includeShare: false, ...(kept as Partial<WaitState> | undefined) };
}
