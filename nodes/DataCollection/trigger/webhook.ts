import type {
	IHookFunctions,
	INodeProperties,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { getConnection, getTriggerConnection } from '../credential/connection';
import { toNodeError, userError } from '../errors';
import { maximumAgeOption, optionsField, simplifyField } from '../fields';
import { parametersOf } from '../parameters';
import { claimDelivery } from '../webhook/deduplication';
import { notificationItem } from '../webhook/notification';
import { accept, deliveriesAt, receive, respond, respondToError } from '../webhook/receive';
import { excludedBy, filterFields, givenFilters, unknownEventsOption } from './filters';
import { getIncluded, givenInclude, includeOption } from './include';

/** The trigger's fields, in the order in which the editor shows them. */
export const triggerFields: INodeProperties[] = [
	...filterFields,
	optionsField([includeOption, unknownEventsOption, maximumAgeOption, simplifyField]),
];

export const triggerWebhooks: IWebhookDescription[] = [deliveriesAt('webhook')];

/**
 * Throws a NodeOperationError if no delivery could be verified, or if a field cannot be understood:
 * n8n then does not publish the workflow.
 */
export async function assertReady(context: IHookFunctions): Promise<void> {
	try {
		await assertAllSet(context);
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}

async function assertAllSet(context: IHookFunctions): Promise<void> {
	const given = parametersOf(context);
	givenFilters(given);
	givenInclude(given);
	given.number(maximumAgeOption, 'options');
	given.flag(simplifyField, 'options');
	const { verificationError } = await getConnection(context);
	if (verificationError !== undefined) throw userError(verificationError);
}

/**
 * Handles one delivery. If it is verified, not filtered out and not seen before, it starts the
 * workflow with one item. Never throws.
 */
export async function webhook(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const connection = await getTriggerConnection(context);
		const given = parametersOf(context);
		const maximumAge = given.number(maximumAgeOption, 'options');
		const delivery = await receive(context, connection, maximumAge);
		if (!delivery.ok) return delivery.error;

		const { notification, signature, deliveryId } = delivery.value;
		const excluded = excludedBy(notification, givenFilters(given));
		if (excluded !== undefined) {
			return respond(context, 'filtered', `Delivery filtered: excluded by ${excluded}`);
		}
		const included = givenInclude(given);
		const isSimplified = given.flag(simplifyField, 'options');
		const isFirst = await claimDelivery(context, keyOf(context, signature), maximumAge);
		if (!isFirst) return respond(context, 'duplicate');
		const item = notificationItem(notification, connection.collectUrl, deliveryId);
		if (included.length === 0) return accept(connection, [[{ json: item }]]);
		const session = { context, connection };
		const fields = await getIncluded(session, notification.requestId, included, isSimplified);
		return accept(connection, [[{ json: { ...item, ...fields } }]]);
	} catch (error) {
		return respondToError(context, error);
	}
}

/** Each trigger gets its own copy of a notification, and so does a test in the editor. */
const keyOf = (context: IWebhookFunctions, signature: string) =>
	[context.getWorkflow().id, context.getNode().id, context.getMode(), signature].join('/');
