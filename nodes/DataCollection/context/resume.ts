import type {
	IDataObject,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { guestLink } from '../shared/guestLink';
import { isObject } from '../shared/payload';
import { textsOf } from '../shared/texts';
import type { CollectionRequest } from '../shared/types';
import { accepted, ANSWERED_BY_THE_NODE, answer } from './answers';
import type { Connection } from './connection';
import type { Verified } from './delivery';
import { handleDelivery, log } from './delivery';
import { timing } from './timing';
import { apiRequest } from './transport';

/** Seconds that a signed timestamp may differ from now, as the trigger's default. */
const MAXIMUM_AGE = 300;

/** Seconds for the read before the answer: the service gives up a delivery after 5. */
const READ_BUDGET = 3;

/** Where n8n takes the notification that ends the wait: its resume URL itself. */
export const resumeWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		responseData: ANSWERED_BY_THE_NODE,
		path: '',
		restartWebhook: true,
	},
];

/**
 * Ends the wait of createAndWait when a notification reports an awaited status. n8n has checked the
 * token of the URL, this checks the signature as well. Another status leaves the execution waiting,
 * the notification of another collection request is refused.
 */
export async function resumeOnNotification(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await handleDelivery.call(this, {
		maximumAge: () => MAXIMUM_AGE,
		accept: async (verified) => await resume.call(this, verified),
	});
}

async function resume(
	this: IWebhookFunctions,
	{ notification, deliveryId, connection }: Verified,
): Promise<IWebhookResponseData> {
	const created = waitingFor.call(this);
	if (notification.requestId !== created._id) {
		log.call(this, 'warn', 'Delivery refused (foreign): it is about another collection request');
		return answer.call(this, 'foreign');
	}
	const awaited = textsOf(this.getNodeParameter('waitForStatuses', []));
	const { shareStatus } = notification;
	if (!shareStatus || !awaited.includes(shareStatus)) return answer.call(this, 'waiting');

	const item = {
		...(await readNow.call(this, created, connection)),
		guestLink: guestLink(connection.collectUrl, created._id),
		shareStatus,
		notification: { ...notification, deliveryId },
	};
	return accepted({ json: item, pairedItem: { item: 0 } });
}

/** The created request, which createAndWait has put in the place of the node's input. */
function waitingFor(this: IWebhookFunctions): CollectionRequest {
	const json: unknown = this.evaluateExpression('{{ $json }}');
	const created: IDataObject = isObject(json) ? { ...json } : {};
	delete created.timedOut;
	return { ...created, _id: typeof created._id === 'string' ? created._id : '' };
}

/** The collection request as it is now, or as it was created when it cannot be read in time. */
async function readNow(
	this: IWebhookFunctions,
	created: CollectionRequest,
	connection: Connection,
): Promise<IDataObject> {
	try {
		return await apiRequest<CollectionRequest>(this, {
			request: 'read',
			resource: 'collection-request',
			id: created._id,
			connection,
			timeout: READ_BUDGET,
			deadline: timing.now() + READ_BUDGET * 1000,
		});
	} catch (error) {
		const includeError = error instanceof Error ? error.message : 'The read did not succeed';
		return { ...created, includeError };
	}
}
