import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { connectionOf } from '../../context/connection';
import { apiRequest } from '../../context/transport';
import { guestLink } from '../../shared/guestLink';
import type { CollectionRequest } from '../../shared/types';
import { showFor } from '../operation';
import { timeoutOption, timeoutParameter } from '../options';
import { createBody, onlySet, textParameter } from './createBody';
import { createFields } from './createFields';
import { webhookTarget } from './webhookTarget';

export const description: INodeProperties[] = showFor('collectionRequest', 'create', [
	{
		displayName:
			'Leave "Retry On Fail" off for this operation: n8n repeats the whole node, so participants would be invited twice',
		name: 'retryNotice',
		type: 'notice',
		default: '',
	},
	...createFields,
	{
		displayName: 'Webhook URL',
		name: 'webhookUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://n8n.example.com/webhook/…/webhook',
		description:
			'Where the service reports status changes: the production URL of a Data Collection Trigger. Leave it empty to receive none.',
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [
			{
				displayName: 'Webhook Identifier',
				name: 'webhookIdentifier',
				type: 'string',
				default: '',
				placeholder: 'e.g. onboarding',
				description: 'A text of your own that comes back in every notification',
			},
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [timeoutOption],
	},
]);

/** Creates a collection request and adds the guest link to what the service answers. */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const connection = await connectionOf.call(this, itemIndex);
	const webhookUrl = textParameter.call(this, 'webhookUrl', itemIndex);
	const webhookIdentifier = textParameter.call(
		this,
		'additionalFields.webhookIdentifier',
		itemIndex,
	);
	const body = {
		...createBody.call(this, itemIndex),
		...(webhookUrl && webhookTarget.call(this, itemIndex, webhookUrl, connection)),
		...onlySet({ webhookIdentifier }),
	};
	const created = await apiRequest<CollectionRequest>(this, {
		request: 'create',
		connection,
		body,
		timeout: timeoutParameter.call(this, itemIndex),
		itemIndex,
	});
	return { ...created, guestLink: guestLink(connection.collectUrl, created._id) };
}
