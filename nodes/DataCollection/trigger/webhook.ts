import type {
	IHookFunctions,
	INodeProperties,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { systemClock } from '../clock';
import { getConnection, getTriggerConnection } from '../credential/connection';
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
	const given = parametersOf(context);
	givenFilters(given);
	givenInclude(given);
	given.number(maximumAgeOption, 'options');
	given.flag(simplifyField, 'options');
	const { verificationFault } = await getConnection(context);
	if (verificationFault !== undefined) throw given.wrong(verificationFault);
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
		const connection = await getTriggerConnection(context, clock);
		const given = parametersOf(context);
		const maximumAge = given.number(maximumAgeOption, 'options');
		const delivery = await receive(context, connection, maximumAge, new Date(clock.now()));
		if (!delivery.ok) return delivery.fault;

		const { notification, signature, deliveryId } = delivery.value;
		const excluded = excludedBy(notification, givenFilters(given));
		if (excluded !== undefined) {
			return respond(context, 'filtered', `Delivery filtered: excluded by ${excluded}`);
		}
		const included = givenInclude(given);
		const isSimplified = given.flag(simplifyField, 'options');
		const isFirst = await claimDelivery(context, clock, keyOf(context, signature), maximumAge);
		if (!isFirst) return respond(context, 'duplicate');
		const item = notificationItem(notification, connection.collectUrl, deliveryId);
		if (included.length === 0) return accept(connection, [[{ json: item }]]);
		const session = { context, connection, clock };
		const fields = await getIncluded(session, notification.requestId, included, isSimplified);
		return accept(connection, [[{ json: { ...item, ...fields } }]]);
	} catch (error) {
		return respondToError(context, error);
	}
}

/** Each trigger gets its own copy of a notification, and so does a test in the editor. */
const keyOf = (context: IWebhookFunctions, signature: string) =>
	[context.getWorkflow().id, context.getNode().id, context.getMode(), signature].join('/');
