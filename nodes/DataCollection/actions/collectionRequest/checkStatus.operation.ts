import { type IDataObject, type INodeProperties, NodeApiError } from 'n8n-workflow';

import { callOptionsField, readCallOptions } from '../../n8n/callOptions';
import { isTool, refuseAlwaysOutputData } from '../../n8n/graph';
import { eachItem, failureOf, type ItemResult, mapResults } from '../../n8n/items';
import { parametersOf } from '../../n8n/parameters';
import { readRequestId, requestIdField } from '../../requests/requestId';
import type { Run } from '../../requests/run';
import { readStatuses } from '../../requests/statuses';
import { isAboutResource, isKeyRefused } from '../../service/errors';
import { requestItem } from '../../service/guestLink';
import { hasStatus } from '../../service/notification';
import type { CallOptions } from '../../service/types';

const checkForField: INodeProperties = {
	displayName: 'Check For',
	name: 'checkFor',
	type: 'options',
	// The names of the outputs depend on it.
	noDataExpression: true,
	options: [
		{ name: 'Completed', value: 'completed' },
		{ name: 'Open or Completed', value: 'open' },
		{
			name: 'Other Statuses',
			value: 'statuses',
			description: 'Any one of the statuses that you enter',
		},
	],
	default: 'completed',
	description:
		'The share status to check for. Collection requests that have it leave by the first output, all others by the second one.',
};

const checkForStatusesField: INodeProperties = {
	displayName: 'Check for Statuses',
	name: 'checkForStatuses',
	type: 'string',
	required: true,
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Status' },
	default: [],
	placeholder: 'e.g. archived',
	description: 'A collection request may have any one of these; case does not matter',
	displayOptions: { show: { checkFor: ['statuses'] } },
};

export const description: INodeProperties[] = [
	requestIdField,
	checkForField,
	checkForStatusesField,
	callOptionsField(),
];

/** What an item has led to: its output, and why the collection request could not be read, if so. */
interface Checked {
	item: IDataObject;
	isReached: boolean;
	error?: NodeApiError;
}

/**
 * Reads each collection request once, and outputs one item for each input item: by the first output if
 * it has the status, otherwise, or if it cannot be read, by the second one. As a tool, all by the first.
 * Fails if no read says anything about a collection request, e.g. because the service is down.
 */
export async function executeAll(run: Run): Promise<ItemResult[][]> {
	refuseAlwaysOutputData(run, 'the first output');
	const first = parametersOf(run.context, 0, run.hint);
	const statuses = readStatuses(first, checkForField, checkForStatusesField);
	const checks = new Map<string, Promise<Checked>>();
	const checked = await eachItem(run, async (itemIndex) => {
		const parameters = parametersOf(run.context, itemIndex, run.hint);
		const id = readRequestId(run, parameters);
		const known = checks.get(id) ?? check(run, statuses, id, readCallOptions(parameters));
		checks.set(id, known);
		return await known;
	});
	const results = mapResults(withoutGuesses(run, checked), ({ item }) => [item]);
	if (isTool(run)) return [results];
	const isReached = checked.map((result) => result.ok && result.value.isReached);
	return [true, false].map((which) => results.filter((_, index) => isReached[index] === which));
}

/** Reads one collection request. Throws only what is the same for all of them. */
async function check(
	{ api, connection: { collectUrl } }: Run,
	statuses: string[],
	id: string,
	options: CallOptions,
): Promise<Checked> {
	const found = await api.getCollectionRequest(id, options).catch(failureOfOne);
	if (found instanceof Error) {
		const fields = { shareStatus: null, isReached: false, readError: found.message };
		return { item: requestItem(collectUrl, id, fields), isReached: false, error: found };
	}
	const isReached = hasStatus(statuses, found.shareStatus);
	return { item: { ...requestItem(collectUrl, found._id, found), isReached }, isReached };
}

/** The error, if it concerns one item. Throws what concerns all: a refused key, a stopped execution. */
function failureOfOne(error: unknown): NodeApiError {
	if (error instanceof NodeApiError && !isKeyRefused(error)) return error;
	throw error;
}

/** If nothing is known of any collection request, nobody may be told that they are not completed. */
function withoutGuesses(run: Run, checked: Array<ItemResult<Checked>>): typeof checked {
	const errors = checked.flatMap((result) => (result.ok ? (result.value.error ?? []) : []));
	const read = checked.filter((result) => result.ok).length - errors.length;
	if (errors.length > 0 && read === 0 && !errors.some(isAboutResource)) {
		return checked.map((result, index) =>
			result.ok ? failureOf(run.context, result.value.error, index) : result,
		);
	}
	if (errors.length > 0) run.hint(notRead(errors.length, checked.length));
	return checked;
}

const notRead = (count: number, all: number) =>
	`${count} of ${all} items could not be read. They leave by the second output, and readError says why.`;
