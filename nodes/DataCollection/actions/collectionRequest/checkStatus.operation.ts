import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { type ItemResult, mapResults } from '../../n8n/itemResults';
import { parametersOf } from '../../n8n/parameters';
import { refuseAlwaysOutputData, refuseExecuteOnce } from '../../n8n/refusedSettings';
import { isTool } from '../../n8n/tool';
import type { FailureKind } from '../../service/callFailure';
import { hasStatus, requestItem } from '../../service/collectionRequest';
import { callOptionsField, readCallOptions } from '../../shared/callOptions';
import type { Run } from '../../shared/operation';
import { failureIn, readEach } from '../../shared/readItems';
import { readStatuses } from '../../shared/readStatuses';
import { readRequestId, requestIdField } from '../../shared/requestId';

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

export const addsInvitee = true;

export const description: INodeProperties[] = [
	requestIdField,
	checkForField,
	checkForStatusesField,
	callOptionsField(),
];

/** The name of the second output, by Check For. */
const SECOND_OUTPUT = { completed: 'Not Completed', open: 'Neither', statuses: 'Not Reached' };

/**
 * What leaves by the second output although it could not be read, so that a deadline is not lost. If the
 * node continues on failures, only what is missing: the rest has an error to leave by.
 */
const toleratedIn = ({ context }: Run): FailureKind[] =>
	context.continueOnFail() ? ['missing'] : ['missing', 'invalid', 'unavailable'];

/**
 * Reads each collection request once, and outputs one item for each input item: by the first output if
 * it has the status, otherwise, or if it is missing, by the second one. As a tool, all by the first.
 */
export async function executeAll(run: Run): Promise<ItemResult[][]> {
	refuseAlwaysOutputData(run.context, 'the first output');
	refuseExecuteOnce(run.context);
	const { api, connection, context } = run;
	const first = parametersOf(context, 0, run.hint);
	const statuses = readStatuses(first, checkForField, checkForStatusesField);
	const taskOf = (itemIndex: number) => {
		const parameters = parametersOf(context, itemIndex, run.hint);
		const id = readRequestId(run, parameters);
		const options = readCallOptions(parameters);
		return { key: id, read: async () => await api.getCollectionRequest(id, options) };
	};
	const checkFor = first.option(checkForField) as keyof typeof SECOND_OUTPUT;
	const outcome = `They leave by ${SECOND_OUTPUT[checkFor]}, and readError says why`;
	const policy = { tolerated: toleratedIn(run), outcome };
	const readings = await readEach(run, taskOf, policy);
	const results = mapResults(readings, ({ key, read }) => {
		if (read?.ok) {
			const isReached = hasStatus(statuses, read.value.shareStatus);
			return { ...requestItem(connection.collectUrl, read.value._id, read.value), isReached };
		}
		const readError = failureIn(read)?.message;
		const fields = { shareStatus: null, isReached: false, readError };
		return requestItem(connection.collectUrl, key, fields);
	});
	if (isTool(run.context)) return [results];
	const isReached = (result: ItemResult<IDataObject>) =>
		result.ok && result.value.isReached === true;
	return [results.filter(isReached), results.filter((result) => !isReached(result))];
}
