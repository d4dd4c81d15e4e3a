import { type INodeProperties, type NodeOperationError } from 'n8n-workflow';

import { callOptionsField, readCallOptions, readConcurrency } from '../../n8n/callOptions';
import { eachOf, type ItemResult } from '../../n8n/items';
import { type Parameters, parametersOf } from '../../n8n/parameters';
import { orFail } from '../../requests/reading';
import type { CreatedItem, Run } from '../../requests/run';
import { requestItem } from '../../service/guestLink';
import type { CreateCollectionRequest, InvitedParticipant } from '../../service/types';
import { assertWaitsCanBegin } from '../../wait/preflight';
import { rememberTarget } from '../../wait/reportTarget';
import {
	additionalFields,
	answersNotice,
	childAccountIdField,
	outputField,
	templateIdField,
	webhookIdentifierField,
} from './createFields';
import { fromItemsFields, type Group, groupsOf, peopleIn } from './fromItems';
import { readLimits } from './participantLimits';
import { readParticipants, participantFields } from './participants';
import { hintAboutPeople, hintRepeatedGroups } from './peopleHints';
import { notifyField, notifyFields, readTarget } from './webhookTarget';

const afterPeople = [...notifyFields, outputField, additionalFields, callOptionsField()];

export const description: INodeProperties[] = [
	templateIdField,
	...participantFields,
	...fromItemsFields,
	answersNotice,
	...afterPeople,
];

const PRACTICE =
	'The credential is set to Practice: the guest links lead to the practice service in this n8n and nowhere else. Before you email anybody else, choose another credential in this node.';
/**
 * Creates the collection request of each item, or of each group of items. Takes the parameters of all
 * items before it creates anything, because an error after a create would lose the new ID.
 */
export async function executeAll(run: Run): Promise<ItemResult[][]> {
	const groups = await groupsOf(run, [templateIdField, ...afterPeople]);
	// At least two at once: a single one would never yield to the event loop.
	const concurrency = Math.max(2, readConcurrency(run));
	const prepare = async (group: Group) => await prepareCreate(run, group);
	const prepared = await eachOf(run, groups, prepare, concurrency);
	const failed = prepared.filter((one) => !one.ok);
	if (failed.length > 0 && !run.context.continueOnFail()) return [failed];
	if (run.connection.environment === 'practice') run.hint(PRACTICE);
	const ready = prepared.filter((one) => one.ok);
	const parameters = parametersOf(run.context, ready[0]?.itemIndex ?? 0);
	const isReported = parameters.option(notifyField) === 'wait';
	await assertWaitsCanBegin(run, ready.length, isReported);
	if (groups.every(({ rows }) => rows === undefined)) {
		hintRepeatedGroups(
			run,
			ready.map(({ value }) => value),
		);
	}
	const work = async ({ itemIndex }: Group, index: number) => {
		const one = prepared[index];
		if (one?.ok) return await createOnce(run, itemIndex, one.value.create);
		throw one?.error as NodeOperationError;
	};
	const results = await eachOf(run, groups, work);
	return [results.flatMap((result, index) => resultsOf(result, groups[index]))];
}

/** What was created for each person, or the failure for each item of the group. */
function resultsOf(result: ItemResult<CreatedItem[]>, group?: Group): ItemResult[] {
	if (result.ok) return result.value;
	return group?.rows?.map(({ itemIndex }) => ({ ...result, itemIndex })) ?? [result];
}

/**
 * Creates a collection request at most once, however often Retry On Fail runs the node. If it was
 * created, later tries output the same. If that is unknown, they fail with the same error.
 */
async function createOnce(
	run: Run,
	itemIndex: number,
	create: Prepared['create'],
): Promise<CreatedItem[]> {
	const { ids, outputs } = run.created;
	const earlier = outputs.get(itemIndex);
	if (earlier !== undefined) return await earlier;
	const output = create();
	outputs.set(itemIndex, output);
	const items = await output;
	ids.add(String(items[0]?.value.requestId));
	return items;
}

/** A collection request that can be created, and whom it invites. */
interface Prepared {
	itemIndex: number;
	people: InvitedParticipant[];
	/** Resolves to one item, or to one per person, as entered. */
	create(): Promise<CreatedItem[]>;
}

/** Reads and checks all parameters, unless an earlier try may have created the collection request. */
async function prepareCreate(run: Run, { itemIndex, rows, name: group }: Group): Promise<Prepared> {
	const created = run.created.outputs.get(itemIndex);
	if (created !== undefined) return { itemIndex, people: [], create: async () => await created };
	const parameters = parametersOf(run.context, itemIndex, run.hint);
	const invited = rows ? peopleIn(run, rows) : readParticipants(parameters, run.hint);
	const { people, entries } = invited;
	const target = readTarget(run, parameters);
	const body = { ...bodyOf(run, parameters, people), ...target.webhook };
	const options = { ...readCallOptions(parameters), labels: entries.map(({ label }) => label) };
	const isPerParticipant = parameters.option(outputField) === 'participants';
	hintAboutPeople(run, { itemIndex, people }, isPerParticipant);
	const create = async (): Promise<CreatedItem[]> => {
		const result = await run.api.createCollectionRequest(body, options);
		// Certainly not created, so the next try may create it.
		if (!result.ok && !result.error.isAmbiguous) run.created.outputs.delete(itemIndex);
		const response = orFail(run, result);
		const ofGroup = group ? { group } : {};
		const request = {
			...requestItem(run.connection.collectUrl, response._id, response),
			...ofGroup,
		};
		if (target.isThisExecution) rememberTarget(run, response._id);
		if (!isPerParticipant || people.length === 0) return [{ ok: true, value: request, itemIndex }];
		const { requestId, guestLink } = request;
		return people.map((person, index) => {
			const { name = null, email = null, phoneNumber = null, isAdmin = false } = person;
			const value = { requestId, guestLink, name, email, phoneNumber, isAdmin, ...ofGroup };
			return { ok: true, value, itemIndex: entries[index]?.itemIndex ?? itemIndex };
		});
	};
	return { itemIndex, people, create };
}

/**
 * The request body. Of what is not set, only the two limits are sent: the API does not say which fields
 * are required.
 */
function bodyOf(
	run: Run,
	parameters: Parameters,
	people: InvitedParticipant[],
): CreateCollectionRequest {
	const strictly = parametersOf(run.context, parameters.itemIndex);
	return {
		templateId: parameters.required(templateIdField),
		// A hint would not be enough: the account decides whose collection request it is.
		childAccountId: strictly.text(childAccountIdField, 'additionalFields'),
		...readLimits(parameters, run.hint, people.length),
		participantList: people.length > 0 ? people : undefined,
		webhookIdentifier: parameters.text(webhookIdentifierField, 'additionalFields'),
	};
}
