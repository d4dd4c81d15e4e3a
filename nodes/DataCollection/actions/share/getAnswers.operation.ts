import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { callOptionsField } from '../../n8n/callOptions';
import { userError } from '../../n8n/errors';
import { isTimedOut } from '../../n8n/graph';
import { eachList, type ItemResult } from '../../n8n/items';
import { parametersOf } from '../../n8n/parameters';
import type { Run } from '../../requests/run';
import { isMissing } from '../../service/errors';
import { hasStatus } from '../../service/notification';
import { answersOf, objectsOf } from '../../service/share';
import { CHECK_FIRST, type FoundShare, selectShare, shareFields } from './selectShare';

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
			name: 'One Item per Share',
			value: 'columns',
			description:
				'One item with a field for each answer, named by its label; the second answer with the same label is called, e.g., Comment (2)',
		},
	],
	default: 'answers',
	description:
		'What becomes one item, e.g. one row of a table or a spreadsheet. The service does not report who gave which answer.',
};

export const description: INodeProperties[] = [...shareFields, outputField, callOptionsField()];

const OPEN = 'A share is still open: more answers may come.';

/**
 * Reads shares and outputs their answers in the share's order, ready as rows of a table. Collection
 * requests that timed out may have no share: they are left out.
 */
export async function executeAll(run: Run): Promise<ItemResult[][]> {
	const isFound = new Map<string, boolean>();
	const results = await eachList(run, (itemIndex) => {
		const parameters = parametersOf(run.context, itemIndex, run.hint);
		const selected = selectShare(run, parameters);
		const { key } = selected;
		const isOneItem = parameters.option(outputField) === 'columns';
		const get = async () => {
			const found = await (isTimedOut(run, itemIndex) ? findIfAny(selected) : selected.get());
			isFound.set(key, found !== undefined);
			if (found === undefined) return [];
			if (hasStatus(['open'], found.share.status)) run.hint(OPEN);
			return isOneItem ? [columnsOf(found)] : rowsOf(found);
		};
		return { key, get };
	});
	reportMissing(run, isFound);
	return [results];
}

const findIfAny = async ({ find }: ReturnType<typeof selectShare>) =>
	await find().catch((error: unknown) => {
		if (isMissing(error)) return undefined;
		throw error;
	});

/** Says which have no answers to read. Fails if that is so for all, since there would be no output. */
function reportMissing(run: Run, isFound: Map<string, boolean>): void {
	const missing = [...isFound.keys()].filter((key) => isFound.get(key) === false);
	if (missing.length === 0) return;
	const which = `${missing.length} of ${isFound.size} have no share yet, or are deleted`;
	if (missing.length < isFound.size) {
		const names = `${missing.slice(0, 10).join(', ')}${missing.length > 10 ? ', …' : ''}`;
		return run.hint(`No answers of ${names}: ${which}. ${CHECK_FIRST}`);
	}
	const message = `There are no answers to read: ${which}`;
	throw userError({ message, description: CHECK_FIRST });
}

function rowsOf({ share, requestId }: FoundShare): IDataObject[] {
	const { _id: shareId, status = null, lastUpdateTime = null, deleteTime = null } = share;
	return objectsOf(share.otherFields).map((field, index) => {
		const { label = null, value = null, type = null, isMandatory = null } = field;
		const answer = { requestId, label, value, position: index + 1 };
		return { ...answer, shareId, type, isMandatory, status, lastUpdateTime, deleteTime };
	});
}

function columnsOf({ share, requestId, guestLink }: FoundShare): IDataObject {
	const { _id: shareId, status = null, deleteTime = null } = share;
	const { createTime = null, lastUpdateTime = null } = share;
	const times = { createTime, lastUpdateTime, deleteTime };
	const fixed = { requestId, guestLink, shareId, status, ...times };
	// No item of the node has a field `error`. So that name counts as taken, too.
	return { ...answersOf(share, [...Object.keys(fixed), 'error']), ...fixed };
}
