import type {
	IDataObject,
	IHookFunctions,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { createClient } from '../api/client';
import type { Clock } from '../clock';
import { systemClock } from '../clock';
import { readConnection, readTriggerConnection } from '../credential/connection';
import { INCOMPLETE_SECRETS } from '../credential/secrets';
import { guestLink } from '../guestLink';
import {
	accept,
	filter,
	notConfigured,
	refuse,
	respond,
	RESPONSE_OF_THE_NODE,
} from '../webhook/responses';
import type { Notification } from '../webhook/verifyDelivery';
import { parseTimestamp, readDelivery, textsOf, verifyDelivery } from '../webhook/verifyDelivery';
import { claimDelivery } from './deduplication';
import { assertStatuses, excludedBy } from './filters';
import { readIncluded } from './include';

/** Seconds. */
const DEFAULT_MAXIMUM_AGE = 300;

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
	const { webhookSecret, areIncomplete } = await readConnection(context);
	if (areIncomplete) {
		throw new NodeOperationError(context.getNode(), INCOMPLETE_SECRETS.message, INCOMPLETE_SECRETS);
	}
	if (webhookSecret !== '') return;
	throw new NodeOperationError(context.getNode(), 'The credential has no webhook secret', {
		description:
			'Enter a Webhook Secret in the Data Collection API credential: without it no notification can be verified, and the trigger would refuse them all.',
	});
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
	return accept([{ json: { ...itemOf(notification, collectUrl, deliveryId), ...included } }]);
}

/** The notification with its own fields first, whatever the service sends under their names. */
function itemOf(notification: Notification, collectUrl: string, deliveryId: string | null) {
	const { event, requestId, shareStatus, webhookIdentifier, timestamp, ...unknown } = notification;
	const own = {
		event,
		requestId,
		guestLink: guestLink(collectUrl, requestId),
		shareStatus,
		webhookIdentifier,
		timestamp,
		notifiedAt: parseTimestamp(String(timestamp))?.toISOString() ?? null,
		deliveryId,
	};
	return { ...own, ...unknown, ...own };
}

/** Options > Maximum Age in seconds; what is no number above or equal to 0 counts as not set. */
function maximumAgeOf({ maximumAge }: IDataObject): number {
	return typeof maximumAge === 'number' && maximumAge >= 0 ? maximumAge : DEFAULT_MAXIMUM_AGE;
}
