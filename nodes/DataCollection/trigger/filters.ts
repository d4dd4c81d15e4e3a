import type {
	IDataObject,
	IHookFunctions,
	INodeProperties,
	INodePropertyOptions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { parseList, parseWords } from '../fields';
import type { Notification } from '../webhook/notification';
import { hasStatus, UPDATED } from '../webhook/notification';

const TRIGGERS: INodePropertyOptions[] = [
	{ name: 'Collection Request Completed', value: 'completed' },
	{ name: 'Collection Request Opened', value: 'open' },
	{ name: 'Any Status Change', value: 'anyStatus' },
	{ name: 'Other Statuses', value: 'statuses' },
];

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
	{
		displayName: 'Trigger On',
		name: 'triggerOn',
		type: 'options',
		options: TRIGGERS,
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
	const triggerOn: unknown = context.getNodeParameter('triggerOn', 'completed');
	if (!TRIGGERS.some(({ value }) => value === triggerOn)) {
		const values = TRIGGERS.map(({ value }) => value).join(', ');
		throw refuse(
			context,
			'Trigger On is not one of its choices',
			`Select one of them, or use an expression that returns one of: ${values}.`,
		);
	}
	return {
		triggerOn: String(triggerOn),
		statuses: triggerOn === 'statuses' ? readStatuses(context) : [String(triggerOn)],
		unknownEvents: context.getNodeParameter('options.unknownEvents', false) === true,
		requestIds: readFilter(context, 'requestIds', 'Request IDs', parseWords),
		webhookIdentifiers: readFilter(context, 'webhookIdentifiers', 'Webhook Identifiers', parseList),
	};
}

const refuse = (
	context: IHookFunctions | IWebhookFunctions,
	message: string,
	description: string,
): NodeOperationError => new NodeOperationError(context.getNode(), message, { description });

function readStatuses(context: IHookFunctions | IWebhookFunctions): string[] {
	const statuses = parseWords(context.getNodeParameter('shareStatuses', []));
	if (statuses !== undefined && statuses.length > 0) return statuses;
	const message = `Share Statuses ${statuses === undefined ? 'is not a list of texts' : 'is empty'}`;
	const advice =
		'Enter the statuses that should start the workflow, or choose Any Status Change under Trigger On.';
	throw refuse(context, message, advice);
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
	const list = parse((context.getNodeParameter('filters', {}) as IDataObject)[name]);
	if (list !== undefined && list.length > 0) return list;
	const message = `${label} ${list === undefined ? 'is not a list of texts' : 'has no value'}`;
	const advice =
		'Under Filters, enter a text in each entry or check what its expression returns. To start the workflow for all collection requests, remove the filter.';
	throw refuse(context, message, advice);
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
