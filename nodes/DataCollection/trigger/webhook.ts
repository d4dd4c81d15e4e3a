import type {
	IHookFunctions,
	INodeProperties,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { toNodeError, userError } from '../n8n/errors';
import { optionsField } from '../n8n/fields';
import { transportOf } from '../n8n/http';
import { parametersOf } from '../n8n/parameters';
import { accept, deliveriesAt, deliveryOf, waitUntilAccepted } from '../n8n/webhookRequest';
import { notificationItem } from '../service/notification';
import { verifyDelivery } from '../service/signature';
import { refuse, respond, respondToError } from '../shared/deliveryResponses';
import { claimDelivery } from '../shared/duplicates';
import { maximumAgeOption, simplifyField } from '../shared/fields';
import { getConnection } from '../shared/getConnection';
import { getTriggerConnection } from './credentialCache';
import { excludedBy, filterFields, readFilters, unknownEventsOption } from './filters';
import { getIncluded, readInclude, includeOption } from './include';

export const triggerFields: INodeProperties[] = [
	...filterFields,
	optionsField([includeOption, unknownEventsOption, maximumAgeOption, simplifyField]),
];

export const triggerWebhooks: IWebhookDescription[] = [deliveriesAt('webhook')];

/**
 * Throws a NodeOperationError if no delivery could be handled: n8n does not publish the workflow.
 */
export async function assertReady(context: IHookFunctions): Promise<void> {
	try {
		await assertAllSet(context);
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}

async function assertAllSet(context: IHookFunctions): Promise<void> {
	const parameters = parametersOf(context);
	readFilters(parameters);
	readInclude(parameters);
	parameters.number(maximumAgeOption, 'options');
	parameters.boolean(simplifyField, 'options');
	const { verificationError } = await getConnection(context);
	if (verificationError !== undefined) throw userError(verificationError);
}

/** Starts the workflow with one item, or says why not. Never throws. */
export async function webhook(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const connection = await getTriggerConnection(context);
		const parameters = parametersOf(context);
		const maximumAge = parameters.number(maximumAgeOption, 'options');
		const delivery = verifyDelivery(await deliveryOf(context), connection, maximumAge);
		if (!delivery.ok) return refuse(context, delivery.error);

		const { notification, signature } = delivery.value;
		const excluded = excludedBy(notification, readFilters(parameters));
		if (excluded !== undefined) {
			return respond(context, 'filtered', `Delivery filtered: excluded by ${excluded}`);
		}
		const included = readInclude(parameters);
		const isSimplified = parameters.boolean(simplifyField, 'options');
		const isHandled = async () => await waitUntilAccepted(context);
		const isFirst = await claimDelivery(keyOf(context, signature), maximumAge, isHandled);
		if (!isFirst) return respond(context, 'duplicate');
		const item = notificationItem(delivery.value, connection.collectUrl);
		if (included.length > 0) {
			const session = { connection, ...transportOf(context, connection.credential) };
			const { requestId } = notification;
			Object.assign(item, await getIncluded(session, requestId, included, isSimplified));
		}
		return accept([[{ json: connection.redactor.item(item) }]]);
	} catch (error) {
		return respondToError(context, error);
	}
}

/** Each trigger gets its own copy of a notification, and so does a test in the editor. */
const keyOf = (context: IWebhookFunctions, signature: string) =>
	[context.getWorkflow().id, context.getNode().id, context.getMode(), signature].join('/');
