import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { inputError, maximumAgeOption, readMaximumAge } from '../../fields';
import { notificationItem } from '../../webhook/notification';
import type { Delivery } from '../../webhook/verifyDelivery';
import { verifyDelivery } from '../../webhook/verifyDelivery';
import type { Run } from '../operation';
import { optionsField, readText } from '../parameters';

export const description: INodeProperties[] = [
	{
		displayName:
			'Place this node after a Webhook node. In the Webhook node, add the option Raw Body and turn it on.',
		name: 'rawBodyNotice',
		type: 'notice',
		default: '',
	},
	optionsField([
		{
			displayName: 'Input Binary Field',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			description: 'Name of the binary field that contains the raw body',
		},
		maximumAgeOption,
		{
			displayName: 'Signature',
			name: 'signature',
			type: 'string',
			default: "={{ $json.headers['x-svc-signature'] }}",
			description: 'The X-SVC-Signature header, if it is not among the headers in the item',
		},
		{
			displayName: 'Timestamp',
			name: 'timestamp',
			type: 'string',
			default: "={{ $json.headers['x-svc-timestamp'] }}",
			description: 'The X-SVC-Timestamp header, if it is not among the headers in the item',
		},
	]),
];

/**
 * Verifies a notification that n8n's own Webhook node received, as the trigger does, and outputs
 * the same item. Of the input, only the signed fields and the delivery ID are left. Throws a
 * NodeOperationError if the notification is not verified. Does not recognise repetitions.
 */
export async function execute(run: Run, itemIndex: number): Promise<IDataObject> {
	const { clock, connection, context } = run;
	const { verifying, collectUrl } = connection;
	if (!verifying.ok) {
		throw inputError(run, itemIndex, verifying.fault.message, verifying.fault.description);
	}
	const options = context.getNodeParameter('options', itemIndex, {});
	const maximumAge = readMaximumAge(run, options, itemIndex);
	const delivery = await deliveryOf(run, itemIndex, options);
	const result = verifyDelivery(delivery, connection, maximumAge, new Date(clock.now()));
	if (result.ok) return notificationItem(result.notification, collectUrl, result.deliveryId);
	const message = `The notification was refused: ${result.reason}`;
	const advice =
		'Do not trust its content. If the service sent it, check that the credential has the webhook secret that the collection request was created with.';
	throw inputError(run, itemIndex, message, advice);
}

/**
 * The delivery as the Webhook node passes it on. Without options, nothing is an expression: n8n
 * would prepare a virtual machine for each delivery.
 */
async function deliveryOf(run: Run, itemIndex: number, options: IDataObject): Promise<Delivery> {
	const { context } = run;
	const json: IDataObject = context.getInputData()[itemIndex]?.json ?? {};
	const headers = { ...(json.headers as Delivery['headers']) };
	const given = (name: string, header: string) =>
		name in options ? options[name] : headers[header];
	const text = (value: unknown) => (typeof value === 'number' ? String(value) : value) as string;
	const field = rawBodyField(run, itemIndex, json);
	return {
		body: await context.helpers.getBinaryDataBuffer(itemIndex, field).catch(() => {
			const message = 'The raw body could not be read';
			const advice =
				'Check where this n8n stores binary data, then run this node again. The notification is not verified.';
			throw inputError(run, itemIndex, message, advice);
		}),
		headers: {
			'x-svc-signature': text(given('signature', 'x-svc-signature')),
			'x-svc-timestamp': text(given('timestamp', 'x-svc-timestamp')),
			'x-svc-delivery-id': headers['x-svc-delivery-id'],
		},
	};
}

/** The binary field with the raw body. In workflows of Execution Logic v2, files are in the JSON. */
function rawBodyField(run: Run, itemIndex: number, json: IDataObject): string {
	const usual = '_files' in json ? '_files.data' : 'data';
	const name = 'options.binaryPropertyName';
	const field = readText(run, itemIndex, name, 'Input Binary Field') ?? usual;
	try {
		run.context.helpers.assertBinaryData(itemIndex, field);
		return field;
	} catch {
		const message = `The raw body is missing: the item has no binary field "${field}"`;
		const advice =
			'In the Webhook node: 1. Under Options, add Raw Body. 2. Turn its switch on; adding it is not enough. If the body comes in another binary field, enter its name under Options > Input Binary Field.';
		throw inputError(run, itemIndex, message, advice);
	}
}
