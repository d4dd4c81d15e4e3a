import type {
	IDataObject,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { createClient } from '../../../api/client';
import type { Clock } from '../../../clock';
import { systemClock } from '../../../clock';
import { readConnection } from '../../../credential/connection';
import { aboutRequest } from '../../../guestLink';
import { readDelivery, textsOf, verifyDelivery } from '../../../webhook/verifyDelivery';
import {
	accept,
	log,
	notConfigured,
	refuse,
	respond,
	RESPONSE_OF_THE_NODE,
} from '../../../webhook/responses';

/** Seconds that a signed timestamp may differ from now, as the trigger's default. */
const MAXIMUM_AGE = 300;

/** Seconds for the read before the response: the service gives up a delivery after 5. */
const READ_BUDGET = 3;

/** Where n8n takes the notification that ends the wait: its resume URL itself. */
export const resumeWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		responseData: RESPONSE_OF_THE_NODE,
		path: '',
		restartWebhook: true,
	},
];

/**
 * Ends the wait of createAndWait when a notification reports an awaited status. n8n has checked the
 * token of the URL, this checks the signature as well. Another status leaves the execution waiting,
 * the notification of another collection request is refused. Never throws: that would end the wait.
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

	const { notification, deliveryId } = delivery;
	const created = waitingFor(context);
	if (notification.requestId !== created.requestId) {
		log(context, 'warn', 'Delivery refused (foreign): it is about another collection request');
		return respond(context, 'foreign');
	}
	const awaited = textsOf(context.getNodeParameter('waitForStatuses', []));
	const { shareStatus } = notification;
	if (!shareStatus || !awaited.includes(shareStatus)) return respond(context, 'waiting');

	const { requestId } = notification;
	const api = createClient(context, connection, clock);
	const options = { timeout: READ_BUDGET, deadline: clock.now() + READ_BUDGET * 1000 };
	const current = await api.getCollectionRequest(requestId, options).catch(
		// Nothing tells a failed read in an item but a field of its own; the wait is over all the same.
		(error: Error) => ({ ...created, includeError: error.message }),
	);
	const json = {
		...aboutRequest(connection.collectUrl, requestId, current),
		shareStatus,
		notification: { ...notification, deliveryId },
	};
	return accept({ json, pairedItem: { item: 0 } });
}

/** The created request, which createAndWait has put in the place of the node's input. */
function waitingFor(context: IWebhookFunctions): IDataObject {
	const created = { ...(context.evaluateExpression('{{ $json }}') as unknown as IDataObject) };
	delete created.timedOut;
	return created;
}
