import type { IDataObject, IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';

import { choiceIn, listIn, parseList, parseWords } from '../fields';
import type { Notification } from '../webhook/notification';
import { hasStatus, UPDATED } from '../webhook/notification';

const triggerOnField: INodeProperties = {
	displayName: 'Trigger On',
	name: 'triggerOn',
	type: 'options',
	options: [
		{ name: 'Collection Request Completed', value: 'completed' },
		{ name: 'Collection Request Opened', value: 'open' },
		{ name: 'Any Status Change', value: 'anyStatus' },
		{ name: 'Other Statuses', value: 'statuses' },
	],
	default: 'completed',
};

/** Options > Include Unknown Events. {@link readFilters} reads it. */
export const unknownEventsOption: INodeProperties = {
	displayName: 'Include Unknown Events',
	name: 'unknownEvents',
	type: 'boolean',
	default: false,
	displayOptions: { show: { '/triggerOn': ['anyStatus'] } },
	description:
		'Whether to also start the workflow on notifications of other events than collection_request.updated, the only one that the API describes',
};

/** The fields that say which notifications start the workflow, in the order in the editor. */
export const filterFields: INodeProperties[] = [
	triggerOnField,
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

/** What Trigger On and Filters say. An empty list of IDs or identifiers stands for all. */
export interface Filters {
	triggerOn: string;
	statuses: string[];
	unknownEvents: boolean;
	requestIds: string[];
	webhookIdentifiers: string[];
}

/**
 * Reads the fields above. Throws a NodeOperationError that names the field if it holds something
 * else: a filter that is ignored would start the workflow for foreign collection requests.
 */
export function readFilters(context: IHookFunctions | IWebhookFunctions): Filters {
	const given: unknown = context.getNodeParameter('triggerOn', 'completed');
	const triggerOn = choiceIn({ context }, undefined, triggerOnField, given);
	return {
		triggerOn,
		statuses: triggerOn === 'statuses' ? readStatuses(context) : [triggerOn],
		unknownEvents: context.getNodeParameter('options.unknownEvents', false) === true,
		requestIds: readFilter(context, 'requestIds', 'Request IDs', parseWords),
		webhookIdentifiers: readFilter(context, 'webhookIdentifiers', 'Webhook Identifiers', parseList),
	};
}

function readStatuses(context: IHookFunctions | IWebhookFunctions): string[] {
	return listIn({ context }, undefined, context.getNodeParameter('shareStatuses', []), parseWords, {
		label: 'Share Statuses',
		whenEmpty: 'is empty',
		advice:
			'Enter the statuses that should start the workflow, or choose Any Status Change under Trigger On.',
	});
}

/** Only a filter without any entry allows everything: an expression that finds nothing does not. */
function readFilter(
	context: IHookFunctions | IWebhookFunctions,
	name: 'requestIds' | 'webhookIdentifiers',
	label: string,
	parse: typeof parseList,
): string[] {
	const entered = context.getNodeParameter('filters', {}, { rawExpressions: true }) as IDataObject;
	if ([entered[name] ?? []].flat().length === 0) return [];
	const filters = context.getNodeParameter('filters', {}) as IDataObject;
	return listIn({ context }, undefined, filters[name], parse, {
		label,
		whenEmpty: 'has no value',
		advice:
			'Under Filters, enter a text in each entry or check what its expression returns. To start the workflow for all collection requests, remove the filter.',
	});
}

/** The field that excludes the notification, of Trigger On and Filters; undefined if none does. */
export function excludedBy(notification: Notification, filters: Filters): string | undefined {
	const { requestId, webhookIdentifier } = notification;
	const allows = (list: string[], value: unknown) =>
		list.length === 0 || list.some((entry) => entry === value);
	if (!isTriggeredBy(notification, filters)) return 'Trigger On';
	if (!allows(filters.requestIds, requestId)) return 'Request IDs';
	return allows(filters.webhookIdentifiers, webhookIdentifier) ? undefined : 'Webhook Identifiers';
}

function isTriggeredBy({ event, shareStatus }: Notification, filters: Filters): boolean {
	const isAnyStatus = filters.triggerOn === 'anyStatus';
	if (event !== UPDATED) return isAnyStatus && filters.unknownEvents;
	return isAnyStatus || hasStatus(filters.statuses, shareStatus);
}
