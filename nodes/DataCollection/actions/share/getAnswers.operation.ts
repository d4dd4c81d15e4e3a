import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ItemResult } from '../../n8n/itemResults';
import { parametersOf } from '../../n8n/parameters';
import { answersOf, objectsOf } from '../../service/share';
import { callOptionsField } from '../../shared/callOptions';
import type { Run } from '../../shared/operation';
import { mapTask, readLists } from '../../shared/readItems';
import { type FoundShare, shareTask, shareFields } from './shareTask';

const outputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'One Item per Answer',
			value: 'answers',
			description: 'Each item is one answer, with its label and value',
		},
		{
			name: 'One Item per Collection Request',
			value: 'columns',
			description: 'One row for each person or group, with a column for each answer',
		},
	],
	default: 'columns',
	description:
		'What becomes one item, e.g. one row of a table or a spreadsheet. Labels that repeat get a number, e.g. Comment (2): further answers to the same question. The service does not report who gave which.',
};

export const addsInvitee = true;

export const description: INodeProperties[] = [...shareFields, outputField, callOptionsField()];

/** Reads shares and outputs their answers in the share's order, ready as rows of a table. */
export const executeAll = async (run: Run): Promise<ItemResult[][]> => [
	await readLists(run, (itemIndex) => {
		const parameters = parametersOf(run.context, itemIndex, run.hint);
		const isOneItem = parameters.option(outputField) === 'columns';
		return mapTask(shareTask(run, parameters), (share) =>
			isOneItem ? [columnsOf(share)] : rowsOf(share),
		);
	}),
];

function rowsOf({ share, requestId }: FoundShare): IDataObject[] {
	const { _id: shareId, status = null, lastUpdateTime = null, deleteTime = null } = share;
	return objectsOf(share.otherFields).map((field, index) => {
		const { label = null, value = null, type = null, isMandatory = null } = field;
		const answer = { requestId, label, value, position: index + 1 };
		return { ...answer, shareId, type, isMandatory, status, lastUpdateTime, deleteTime };
	});
}

/** The answers come first: this is a row of a table that somebody reads. */
function columnsOf({ share, requestId, guestLink }: FoundShare): IDataObject {
	const { _id: shareId, status = null, deleteTime = null } = share;
	const { createTime = null, lastUpdateTime = null } = share;
	const times = { createTime, lastUpdateTime, deleteTime };
	const fixed = { requestId, guestLink, shareId, status, ...times };
	// No item of the node has a field `error`. So that name counts as taken, too.
	return { ...answersOf(share, [...Object.keys(fixed), 'error']), ...fixed };
}
