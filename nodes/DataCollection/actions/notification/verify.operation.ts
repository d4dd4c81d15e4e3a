import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { verifyingFault } from '../../credential/secrets';
import { notificationItem } from '../../webhook/notification';
import type { Delivery } from '../../webhook/verifyDelivery';
import { maximumAgeOf, maximumAgeOption, verifyDelivery } from '../../webhook/verifyDelivery';
import type { Run } from '../operation';
import { inputError, optionsField, textOf } from '../parameters';

export const description: INodeProperties[] = [
	{
		displayName: 'Input Binary Field',
		name: 'binaryPropertyName',
		type: 'string',
		required: true,
		default: 'data',
		hint: 'The name of the input field that contains the raw body; turn on Raw Body in the Webhook node to get it',
	},
	{
		displayName: 'Signature',
		name: 'signature',
		type: 'string',
		required: true,
		default: "={{ $json.headers['x-svc-signature'] }}",
		description: 'The X-SVC-Signature header, as received by the Webhook node',
	},
	{
		displayName: 'Timestamp',
		name: 'timestamp',
		type: 'string',
		required: true,
		default: "={{ $json.headers['x-svc-timestamp'] }}",
		description: 'The X-SVC-Timestamp header, as received by the Webhook node',
	},
	optionsField([maximumAgeOption]),
];

/**
 * Verifies a notification that n8n's own Webhook node received, as the trigger does, and outputs
 * the same item. Of the input, only the signed fields and the delivery ID are left. Throws a
 * NodeOperationError if the notification is not verified. Does not recognise repetitions.
 */
export async function execute(run: Run, itemIndex: number): Promise<IDataObject> {
	const { clock, connection, context } = run;
	const fault = verifyingFault(connection);
	if (fault !== undefined) throw inputError(run, itemIndex, fault.message, fault.description);
	const options = context.getNodeParameter('options', itemIndex, {});
	const maximumAge = maximumAgeOf(options, context, itemIndex);
	const delivery = await deliveryOf(run, itemIndex);
	const now = new Date(clock.now());
	const result = verifyDelivery(delivery, connection, maximumAge, now);
	if (result.outcome === 'verified') {
		return notificationItem(result.notification, connection.collectUrl, result.deliveryId);
	}
	throw inputError(
		run,
		itemIndex,
		`The notification was refused: ${result.reason}`,
		'Do not trust its content. If the service sent it, check that the credential has the webhook secret that the collection request was created with, and that Raw Body is turned on in the Webhook node.',
	);
}

/** The delivery, as the Webhook node passes it on. */
async function deliveryOf(run: Run, itemIndex: number): Promise<Delivery> {
	const { context } = run;
	const field = textOf(run, itemIndex, 'binaryPropertyName', 'Input Binary Field') ?? '';
	try {
		context.helpers.assertBinaryData(itemIndex, field);
	} catch {
		const advice =
			'In the Webhook node, add the option Raw Body and turn it on, or enter the name of the binary field that contains the body.';
		throw inputError(run, itemIndex, `The item has no binary field "${field}"`, advice);
	}
	const headerOf = (name: string) => context.getNodeParameter(name, itemIndex, '') as string;
	const headers = context.getInputData()[itemIndex]?.json.headers as Delivery['headers'] | null;
	return {
		body: await context.helpers.getBinaryDataBuffer(itemIndex, field).catch(() => undefined),
		headers: {
			'x-svc-signature': headerOf('signature'),
			'x-svc-timestamp': headerOf('timestamp'),
			'x-svc-delivery-id': headers?.['x-svc-delivery-id'],
		},
	};
}
