import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isObject, parseList, parseWords } from '../basics/values';
import { userError } from '../n8n/errors';
import { withRawCopy } from '../n8n/fields';
import { listIn, type Parameters } from '../n8n/parameters';
import { hasStatus } from '../service/collectionRequest';
import { type Notification, UPDATED } from '../service/notification';

const triggerOnField: INodeProperties = {
	displayName: 'Trigger On',
	name: 'triggerOn',
	type: 'options',
	options: [
		{ name: 'Any Status Change', value: 'anyStatus' },
		{ name: 'Collection Request Completed', value: 'completed' },
		{ name: 'Collection Request Opened', value: 'open' },
		{ name: 'Other Statuses', value: 'statuses' },
	],
	default: 'completed',
};

export const unknownEventsOption: INodeProperties = {
	displayName: 'Include Unknown Events',
	name: 'unknownEvents',
	type: 'boolean',
	default: false,
	displayOptions: { show: { '/triggerOn': ['anyStatus'] } },
	description:
		'Whether to also start the workflow on notifications of other events than collection_request.updated, the only one that the API describes',
};

const requestIdsFilter: INodeProperties = {
	displayName: 'Request IDs',
	name: 'requestIds',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Request ID' },
	default: [],
	placeholder: 'e.g. 65f0c1a2b3c4d5e6f7a8b9c2',
	description: 'Start only for these collection requests',
};

const webhookIdentifiersFilter: INodeProperties = {
	displayName: 'Webhook Identifiers',
	name: 'webhookIdentifiers',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Webhook Identifier' },
	default: [],
	placeholder: 'e.g. onboarding',
	description: 'Start only for collection requests created with these identifiers',
};

const filtersField: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [requestIdsFilter, webhookIdentifiersFilter],
};

const shareStatusesField: INodeProperties = {
	displayName: 'Share Statuses',
	name: 'shareStatuses',
	type: 'string',
	required: true,
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Share Status' },
	default: [],
	placeholder: 'e.g. completed',
	description: 'The statuses that start the workflow; upper and lower case do not matter',
	displayOptions: { show: { triggerOn: ['statuses'] } },
};

export const filterFields: INodeProperties[] = [
	triggerOnField,
	shareStatusesField,
	...withRawCopy(filtersField),
];

/** An empty list of IDs or identifiers means all. */
export interface Filters {
	triggerOn: string;
	statuses: string[];
	unknownEvents: boolean;
	requestIds: string[];
	webhookIdentifiers: string[];
}

/** An ignored filter would let in foreign collection requests, so it throws a UserError. */
export function readFilters(parameters: Parameters): Filters {
	const triggerOn = parameters.option(triggerOnField);
	const added = readEntries(parameters);
	const filter = (field: INodeProperties, parse: typeof parseList) =>
		field.name in added ? listIn(field, added[field.name], parse, NO_VALUE) : [];
	return {
		triggerOn,
		statuses:
			triggerOn === 'statuses'
				? listIn(shareStatusesField, parameters.value(shareStatusesField), parseWords, NO_STATUS)
				: [triggerOn],
		unknownEvents: parameters.boolean(unknownEventsOption, 'options'),
		requestIds: filter(requestIdsFilter, parseWords),
		webhookIdentifiers: filter(webhookIdentifiersFilter, parseList),
	};
}

const NO_VALUE =
	'Under Filters, enter a text in each entry or check what its expression returns. To start the workflow for all collection requests, remove the filter.';
const NO_STATUS =
	'Enter the statuses that should start the workflow, or choose Any Status Change under Trigger On.';

function readEntries({ present }: Parameters): IDataObject {
	const added = present({ ...filtersField, default: null });
	const names = [requestIdsFilter.name, webhookIdentifiersFilter.name];
	if (isObject(added) && Object.keys(added).every((name) => names.includes(name))) return added;
	const description =
		'Remove what is entered and add the filters one by one. Or use an expression that returns an object with requestIds or webhookIdentifiers, each of them a list of texts.';
	throw userError({ message: 'Filters is not made of known filters', description });
}

/** The field of Trigger On and Filters that excludes the notification, if there is one. */
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
