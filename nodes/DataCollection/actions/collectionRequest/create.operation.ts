import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { connectionOf } from '../../context/connection';
import { showFor } from '../operation';
import { concurrencyOption, optionsOf, timeoutOption } from '../options';
import { textParameter } from './createBody';
import { additionalFields, createFields, retryNotice } from './createFields';
import { createRequest } from './createRequest';

/** Running it again creates again. */
export const creates = true;

export const description: INodeProperties[] = showFor('collectionRequest', 'create', [
	...createFields,
	{
		displayName: 'Webhook URL',
		name: 'webhookUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://n8n.example.com/webhook/…/webhook',
		description:
			'Where the service reports status changes: the production URL of a Data Collection Trigger that uses this credential, or one with the same webhook secret. Leave it empty to receive none.',
	},
	additionalFields,
	optionsOf([concurrencyOption, timeoutOption]),
	retryNotice,
]);

/** Creates a collection request and adds the guest link to what the service answers. */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const connection = await connectionOf.call(this, itemIndex);
	const webhookUrl = textParameter.call(this, 'webhookUrl', itemIndex);
	return await createRequest.call(this, { itemIndex, connection, webhookUrl });
}
