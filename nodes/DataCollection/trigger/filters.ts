import type { IDataObject, IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Notification } from '../webhook/notification';
import { includes, textsOf, UPDATED } from '../webhook/notification';

/** The fields that say which notifications start the workflow, in the order in the editor. */
export const filterFields: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'triggerOn',
		type: 'options',
		options: [
			{ name: 'Any Event, Even Unknown Ones', value: 'anyEvent' },
			{ name: 'Any Status Change', value: 'anyStatus' },
			{ name: 'Collection Request Completed', value: 'completed' },
			{ name: 'Collection Request Opened', value: 'open' },
			{ name: 'Other Statuses', value: 'statuses' },
		],
		default: 'completed',
	},
	{
		displayName: 'Share Statuses',
		name: 'shareStatuses',
		type: 'string',
		required: true,
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Share Status' },
		default: [],
		placeholder: 'e.g. completed',
		description: 'The statuses that start the workflow; upper and lower case do not matter',
		displayOptions: { show: { triggerOn: ['statuses'] } },
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			{
				displayName: 'Request IDs',
				name: 'requestIds',
				type: 'string',
				typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Request ID' },
				default: [],
				placeholder: 'e.g. 65f0c1a2b3c4d5e6f7a8b9c2',
				description: 'Start only for these collection requests; leave empty for all',
			},
			{
				displayName: 'Webhook Identifiers',
				name: 'webhookIdentifiers',
				type: 'string',
				typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Webhook Identifier' },
				default: [],
				placeholder: 'e.g. onboarding',
				description:
					'Start only for collection requests created with these identifiers; leave empty for all',
			},
		],
	},
];

/** Throws a NodeOperationError if Other Statuses has no status: nothing would ever start. */
export function assertStatuses(context: IHookFunctions): void {
	if (context.getNodeParameter('triggerOn') !== 'statuses') return;
	if (textsOf(context.getNodeParameter('shareStatuses', [])).length > 0) return;
	throw new NodeOperationError(context.getNode(), 'Share Statuses is empty', {
		description:
			'Enter the statuses that should start the workflow, or choose Any Status Change under Trigger On.',
	});
}

/** The field that excludes the notification, of Trigger On and Filters; undefined if none does. */
export function excludedBy(
	{ event, requestId, shareStatus, webhookIdentifier }: Notification,
	context: IWebhookFunctions,
): string | undefined {
	const filters = context.getNodeParameter('filters', {}) as IDataObject;
	if (!isTriggeredBy(event, shareStatus, context)) return 'Trigger On';
	if (!allows(filters.requestIds, requestId)) return 'Request IDs';
	return allows(filters.webhookIdentifiers, webhookIdentifier) ? undefined : 'Webhook Identifiers';
}

function isTriggeredBy(event: string, shareStatus: unknown, context: IWebhookFunctions): boolean {
	const triggerOn = context.getNodeParameter('triggerOn', 'completed') as string;
	if (triggerOn === 'anyEvent') return true;
	if (event !== UPDATED) return false;
	if (triggerOn === 'anyStatus') return true;
	if (triggerOn !== 'statuses') return includes([triggerOn], shareStatus);
	return includes(textsOf(context.getNodeParameter('shareStatuses', [])), shareStatus);
}

function allows(wanted: unknown, value: string | null | undefined): boolean {
	const list = textsOf(wanted);
	return list.length === 0 || (typeof value === 'string' && list.includes(value));
}
