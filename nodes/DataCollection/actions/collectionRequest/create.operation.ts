import type { INodeProperties } from 'n8n-workflow';

import { eachResult, type ItemResult } from '../../n8n/itemResults';
import { parametersOf } from '../../n8n/parameters';
import { fromItemsFields, modeField } from '../../people/fields';
import { listFields } from '../../people/fromLists';
import {
	type PlannedRequest,
	type PlannedResult,
	readPlannedRequests,
} from '../../people/plannedRequests';
import { callOptionsField, readCallOptions } from '../../shared/callOptions';
import type { CreatedItem, Run } from '../../shared/operation';
import { orThrowFailure } from '../../shared/readItems';
import { noteExpectedReports } from '../../wait/expectedReports';
import { additionalFields, bodyOf, COMMON_FIELDS, templateIdField } from './createBody';
import { createdItems, outputField } from './createOutput';
import { assertWaitsCanBegin } from './laterWaits';
import { hintAtMissingTriggers } from './missingTriggers';
import { notifyFields, readTarget } from './webhookTarget';

const answersNotice = (displayName: string, show: Record<string, string[]>): INodeProperties => ({
	displayName,
	name: 'answersNotice',
	type: 'notice',
	default: '',
	displayOptions: { show },
});

/** Only where several people may share a collection request. */
const answersNotices = [
	answersNotice(
		'Answers of several people carry no names. To know whose they are, set Specify Participants to From Input Items.',
		{ participantsMode: ['fields', 'json'] },
	),
	answersNotice(
		'All who share a form see it together, and their answers carry no names. To know whose they are, choose Each Person.',
		{ participantsMode: ['items'], oneRequestFor: ['all', 'group'] },
	),
];

export const description: INodeProperties[] = [
	templateIdField,
	modeField,
	...fromItemsFields,
	...listFields,
	...answersNotices,
	outputField,
	additionalFields,
	...notifyFields,
	callOptionsField(),
];

const PRACTICE =
	'The credential is set to Practice: the guest links lead to the practice service in this n8n and nowhere else. Before you email anybody else, choose another credential in this node.';
const NOBODY =
	'No participant is invited: Participants is empty. If each input item is one person, set Specify Participants to From Input Items.';
const NO_EMAIL =
	'they are invited, and they count for completion, but an email node after this one will stop at them. Leave them out before this node, or bring them the guest link in another way.';

/**
 * Creates the planned collection requests. Takes the parameters of all items before it creates anything,
 * because an error after a create would lose the new ID.
 */
export async function executeAll(run: Run): Promise<ItemResult[][]> {
	const { context, concurrency, connection, hint } = run;
	const planned = await readPlannedRequests(run, COMMON_FIELDS);
	const prepare = async (request: PlannedRequest) => prepareCreate(run, request);
	// At least two at once: work that is alone never yields to the event loop.
	const prepared = await eachResult(context, Math.max(2, concurrency), planned, prepare);
	const failed = prepared.filter((result) => !result.ok);
	if (failed.length > 0 && !context.continueOnFail()) return [failed];
	const ready = prepared.flatMap((result) => (result.ok ? [result.value] : []));
	if (connection.environment === 'practice') hint(PRACTICE);
	assertWaitsCanBegin(run, ready.length);
	await hintAtMissingTriggers(
		run,
		ready.flatMap(({ triggerUrl }) => triggerUrl ?? []),
	);
	const created = await eachResult(
		context,
		concurrency,
		prepared,
		async ({ create }) => await create(),
	);
	return [resultsOf(created, planned)];
}

/** What was created for each person. A failure concerns each item that makes the collection request. */
function resultsOf(
	created: Array<ItemResult<CreatedItem[]>>,
	planned: PlannedResult[],
): ItemResult[] {
	const valid = planned.flatMap((result) => (result.ok ? [result.value.itemIndexes] : []));
	const groups = new Map(valid.map((itemIndexes) => [itemIndexes[0], itemIndexes]));
	return created.flatMap((result): ItemResult[] => {
		if (result.ok) return result.value;
		const itemIndexes = groups.get(result.itemIndex) ?? [result.itemIndex];
		return itemIndexes.map((itemIndex) => ({ ...result, itemIndex }));
	});
}

interface Prepared {
	triggerUrl?: URL;
	/** Resolves to one item, or to one for each person. */
	create(): Promise<CreatedItem[]>;
}

/**
 * Reads and checks all parameters. However often Retry On Fail runs the node, a collection request is
 * created at most once: if it was, later tries output the same, and if that is unknown, they fail with
 * the same error.
 */
function prepareCreate(run: Run, planned: PlannedRequest): Prepared {
	const [itemIndex = 0] = planned.itemIndexes;
	const { ids, attempts } = run.created;
	const earlier = attempts.get(itemIndex);
	if (earlier !== undefined) return { create: async () => await earlier };
	const parameters = parametersOf(run.context, itemIndex, run.hint);
	const target = readTarget(run, parameters);
	const body = { ...bodyOf(parameters, planned), ...target.webhook };
	const options = readCallOptions(parameters);
	const isForEach = parameters.option(outputField) === 'participants';
	if (planned.people.length === 0) run.hint(NOBODY);
	for (const { person, itemIndex: ofPerson } of isForEach ? planned.people : []) {
		if (person.email) continue;
		run.hint('Somebody has no email', { itemIndex: ofPerson, reason: NO_EMAIL });
	}
	const start = async () => {
		const result = await run.api.createCollectionRequest(body, options);
		// Certainly not created, so the next try may create it.
		if (!result.ok && !result.error.mayHaveBeenCreated) attempts.delete(itemIndex);
		const response = orThrowFailure(run.context, result);
		ids.add(response._id);
		if (target.isThisExecution) noteExpectedReports(run, response._id);
		return createdItems(run, planned, response, isForEach);
	};
	const create = async () => {
		const attempt = start();
		attempts.set(itemIndex, attempt);
		return await attempt;
	};
	return { triggerUrl: target.triggerUrl, create };
}
