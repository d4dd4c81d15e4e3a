import type {
	IDataObject,
	IHookFunctions,
	INodeProperties,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { createClient } from '../api/client';
import type { Clock } from '../clock';
import { systemClock } from '../clock';
import { readConnection, readTriggerConnection } from '../credential/connection';
import { verifyingFault } from '../credential/secrets';
import { notificationItem, textsOf } from '../webhook/notification';
import {
	accept,
	filter,
	notConfigured,
	refuse,
	respond,
	RESPONSE_OF_THE_NODE,
} from '../webhook/responses';
import {
	maximumAgeOf,
	maximumAgeOption,
	readDelivery,
	verifyDelivery,
} from '../webhook/verifyDelivery';
import { claimDelivery } from './deduplication';
import { assertStatuses, excludedBy, filterFields } from './filters';
import { includeOption, readIncluded, simplifyOption } from './include';

/** What a person chooses in the editor, in its order there. */
export const triggerFields: INodeProperties[] = [
	...filterFields,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [includeOption, maximumAgeOption, simplifyOption],
	},
];

/** Where n8n takes deliveries: below the address that it gives the trigger. */
export const triggerWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		responseData: RESPONSE_OF_THE_NODE,
		path: 'webhook',
	},
];

/** Throws a NodeOperationError when no delivery could ever be verified, so that n8n does not activate. */
export async function assertReady(context: IHookFunctions): Promise<void> {
	assertStatuses(context);
	const fault = verifyingFault(await readConnection(context));
	if (fault !== undefined) throw new NodeOperationError(context.getNode(), fault.message, fault);
}

/**
 * Handles one delivery: verified, not filtered out and not seen before, it starts the workflow with
 * one item. Never throws: a throw would let anybody create failed executions.
 */
export async function webhook(
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
	const connection = await readTriggerConnection(context, clock);
	if (connection.verificationSecrets.length === 0) return notConfigured(context);

	const options = context.getNodeParameter('options', {}) as IDataObject;
	const maximumAge = maximumAgeOf(options);
	const now = new Date(clock.now());
	const delivery = verifyDelivery(await readDelivery(context), connection, maximumAge, now);
	if (delivery.outcome !== 'verified') return refuse(context, connection, delivery);

	const { notification, signature, deliveryId } = delivery;
	const excluded = excludedBy(notification, context);
	if (excluded !== undefined) return filter(context, excluded);
	if (!(await claimDelivery(context, signature, maximumAge))) return respond(context, 'duplicate');

	const { collectUrl } = connection;
	const wanted = textsOf(options.include);
	const included =
		wanted.length > 0
			? await readIncluded(createClient(context, connection, clock), {
					wanted,
					requestId: notification.requestId,
					isSimplified: options.simplify !== false,
					collectUrl,
					now: clock.now(),
				})
			: {};
	return accept([
		{ json: { ...notificationItem(notification, collectUrl, deliveryId), ...included } },
	]);
}
