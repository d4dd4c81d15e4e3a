import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import type { Explanation } from '../../basics/explanation';
import { userError } from '../../n8n/errors';
import { optionsField } from '../../n8n/fields';
import { fileIn } from '../../n8n/itemResults';
import { type Parameters, parametersOf } from '../../n8n/parameters';
import { notificationItem } from '../../service/notification';
import { type Delivery, verifyDelivery } from '../../service/signature';
import { maximumAgeOption } from '../../shared/fields';
import type { Run } from '../../shared/operation';

const binaryFieldOption: INodeProperties = {
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	description: 'Name of the binary field that contains the raw body',
};

export const description: INodeProperties[] = [
	{
		displayName:
			'Place this node after a Webhook node. In the Webhook node, add the option Raw Body and turn it on.',
		name: 'rawBodyNotice',
		type: 'notice',
		default: '',
	},
	optionsField([binaryFieldOption, maximumAgeOption]),
];

/**
 * Verifies a notification that n8n's own Webhook node received, as the trigger does, and outputs
 * the same item. Of the input, only the signed fields and the delivery ID are left. Throws a
 * NodeOperationError if the notification is not verified. Does not recognise repetitions.
 */
export async function execute(run: Run, itemIndex: number): Promise<IDataObject> {
	const { connection, context } = run;
	const parameters = parametersOf(context, itemIndex, run.hint);
	const maximumAge = parameters.number(maximumAgeOption, 'options');
	const delivery = await deliveryIn(context, itemIndex, parameters);
	const verified = verifyDelivery(delivery, connection, maximumAge);
	if (verified.ok) return notificationItem(verified.value, connection.collectUrl);
	throw userError({
		message: `The notification was refused: ${verified.error.reason}`,
		description:
			'Do not trust its content. If the service sent it, check that the credential has the webhook secret that the collection request was created with.',
	});
}

async function deliveryIn(
	context: IExecuteFunctions,
	itemIndex: number,
	parameters: Parameters,
): Promise<Delivery> {
	const item: INodeExecutionData = context.getInputData()[itemIndex] ?? { json: {} };
	const field = parameters.text(binaryFieldOption, 'options') ?? fileIn(item, 'data');
	try {
		context.helpers.assertBinaryData(itemIndex, field);
	} catch {
		throw userError(noRawBody(field));
	}
	const body = await context.helpers.getBinaryDataBuffer(itemIndex, field).catch(() => {
		const description =
			'Check where this n8n stores binary data, then run this node again. The notification is not verified.';
		throw userError({ message: 'The raw body could not be read', description });
	});
	return { body, headers: { ...(item.json.headers as Delivery['headers']) } };
}

const noRawBody = (field: string): Explanation => ({
	message: `The raw body is missing: the item has no binary field "${field}"`,
	description:
		'In the Webhook node: 1. Under Options, add Raw Body. 2. Turn its switch on; adding it is not enough. If the body comes in another binary field, enter its name under Options > Input Binary Field.',
});
