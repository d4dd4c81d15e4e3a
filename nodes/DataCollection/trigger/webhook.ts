import type {
	IDataObject,
	IHookFunctions,
	INodeProperties,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { simplifyField } from '../api/share';
import { systemClock } from '../clock';
import { readConnection, readTriggerConnection } from '../credential/connection';
import { verifyingFault } from '../credential/secrets';
import { notificationItem, textsOf } from '../webhook/notification';
import { accept, deliveriesAt, notHandled, receive, respond } from '../webhook/receive';
import { maximumAgeOf, maximumAgeOption } from '../webhook/verifyDelivery';
import { claimDelivery } from './deduplication';
import { assertStatuses, excludedBy, filterFields } from './filters';
import { includeOption, readIncluded } from './include';

/** The trigger's fields, in the order in which the editor shows them. */
export const triggerFields: INodeProperties[] = [
	...filterFields,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [includeOption, maximumAgeOption, simplifyField],
	},
];

export const triggerWebhooks: IWebhookDescription[] = [deliveriesAt('webhook')];

/** Throws a NodeOperationError if no delivery could be verified: n8n then does not activate. */
export async function assertReady(context: IHookFunctions): Promise<void> {
	assertStatuses(context);
	const fault = verifyingFault(await readConnection(context));
	if (fault !== undefined) throw new NodeOperationError(context.getNode(), fault.message, fault);
}

/**
 * Handles one delivery. If it is verified, not filtered out and not seen before, it starts the
 * workflow with one item. Never throws.
 */
export async function webhook(
	context: IWebhookFunctions,
	clock = systemClock,
): Promise<IWebhookResponseData> {
	try {
		const connection = await readTriggerConnection(context, clock);
		const options = context.getNodeParameter('options', {}) as IDataObject;
		const maximumAge = maximumAgeOf(options);
		const delivery = await receive(context, connection, maximumAge, new Date(clock.now()));
		if (delivery === undefined) return { noWebhookResponse: true };

		const { notification, signature, deliveryId } = delivery;
		const excluded = excludedBy(notification, context);
		if (excluded !== undefined) {
			return respond(context, 'filtered', `Delivery filtered: excluded by ${excluded}`);
		}
		if (!(await claimDelivery(context, signature, maximumAge)))
			return respond(context, 'duplicate');

		const item = notificationItem(notification, connection.collectUrl, deliveryId);
		const wanted = textsOf(options.include);
		if (wanted.length === 0) return accept([{ json: item }]);
		const session = { context, connection, clock };
		const isSimplified = options.simplify !== false;
		const included = await readIncluded(session, notification.requestId, wanted, isSimplified);
		return accept([{ json: { ...item, ...included } }]);
	} catch (error) {
		return notHandled(context, error);
	}
}
