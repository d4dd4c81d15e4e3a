import type { INodeProperties } from 'n8n-workflow';

import { yieldEvery } from '../basics/concurrency';
import { joinedErrors } from '../basics/explanation';
import { errorsOf } from '../basics/result';
import { inWords, shown, unified } from '../basics/text';
import { userError } from '../n8n/errors';
import { valuesOf } from '../n8n/expressions';
import { failureOf, type ItemResult } from '../n8n/itemResults';
import { parametersOf } from '../n8n/parameters';
import type { InvitedParticipant } from '../service/collectionRequest';
import type { Run } from '../shared/operation';
import { type Draft, type Entry, isBlank } from './entry';
import { modeField } from './fields';
import { readFromItems } from './fromItems';
import { readFromLists } from './fromLists';
import { type Limits, readLimits } from './participantLimits';
import { groupByPerson } from './samePerson';

/** Whom one collection request invites. */
export interface PlannedRequest {
	/** The input items that it is made of. The first decides on all other fields. */
	itemIndexes: number[];
	group?: string;
	/** Each person once, and the input item that names them first. */
	people: Array<{ person: InvitedParticipant; itemIndex: number }>;
	limits: Limits;
}

export type PlannedResult = ItemResult<PlannedRequest>;

/** A field that must be the same for all items of a collection request, and its collection. */
export type CommonField = [field: INodeProperties, collection?: string];

/**
 * Everybody who is invited, by collection request, in the order of the input items; a failure for each
 * item that cannot be used. Throws an error if that is so for all of them.
 */
export async function readPlannedRequests(
	run: Run,
	commonFields: CommonField[],
): Promise<PlannedResult[]> {
	const { context, hint } = run;
	const isFromItems = parametersOf(context, 0).option(modeField) === 'items';
	const drafts = isFromItems ? await readFromItems(run) : await readFromLists(run);
	const repeated: string[] = [];
	const results: PlannedResult[] = [];
	for (const [index, draft] of drafts.entries()) {
		const [itemIndex = 0] = draft.itemIndexes;
		try {
			assertSame(run, draft, commonFields);
			const people = peopleIn(draft);
			for (const entries of people) if (entries.length > 1) repeated.push(nameOf(entries));
			results.push({ ok: true, value: plannedRequestOf(run, draft, people), itemIndex });
		} catch (error) {
			for (const failed of draft.itemIndexes) results.push(failureOf(context, error, failed));
		}
		await yieldEvery(25, index);
	}
	if (repeated.length > 0) hint(repeatedText(repeated));
	if (!isFromItems) hintAboutCopies(hint, results);
	return results;
}

/** Throws a UserError if an item says something else than the first, which decides. */
function assertSame(run: Run, { itemIndexes, group }: Draft, fields: CommonField[]): void {
	if (itemIndexes.length < 2) return;
	for (const [field, collection] of fields) {
		const read = valuesOf(run.context, field, collection);
		const values = itemIndexes.map((itemIndex) => unified(String(read(itemIndex) ?? '')));
		const different = values.findIndex((value) => value !== values[0]);
		if (different === -1) continue;
		const [first, second] = [0, different].map(
			(index) => `item ${(itemIndexes[index] ?? 0) + 1} has ${shown(values[index])}`,
		);
		const where = group === undefined ? '' : ` of the group "${group}"`;
		const message = `${field.displayName} is not the same for all items${where}: ${first}, ${second}`;
		const description =
			'Nothing has been created for these items, because they make one collection request. Enter the same value for all of them, or put them into different groups with Group By.';
		throw userError({ message, description });
	}
}

const ALL_EMPTY = {
	message: 'Participants has entries, but all are empty',
	description: 'Check the expressions, or remove the entries to invite nobody.',
};

/** The entries of each person. Throws a UserError that says which entries are wrong. */
function peopleIn({ entries, error }: Draft): Entry[][] {
	if (error !== undefined) throw error;
	const errors = errorsOf(entries);
	if (errors.length > 0) throw userError(joinedErrors(errors));
	const filled = entries.filter((entry) => !isBlank(entry));
	if (filled.length === 0 && entries.length > 0) throw userError(ALL_EMPTY);
	return groupByPerson(filled, ({ keys }) => keys);
}

function plannedRequestOf(
	run: Run,
	{ itemIndexes, group }: Draft,
	people: Entry[][],
): PlannedRequest {
	const parameters = parametersOf(run.context, itemIndexes[0] ?? 0, run.hint);
	return {
		itemIndexes,
		group,
		people: people.map((entries) => ({
			person: merged(peopleOf(entries)),
			itemIndex: entries[0]?.itemIndex ?? 0,
		})),
		limits: readLimits(parameters, run.hint, people.length),
	};
}

const peopleOf = (entries: Entry[]): InvitedParticipant[] =>
	entries.flatMap((entry) => (entry.ok ? [entry.value] : []));

/** The first value of each field, and admin if one entry says so. */
function merged(entries: InvitedParticipant[]): InvitedParticipant {
	const fields: InvitedParticipant = {};
	for (const entry of entries) Object.assign(fields, { ...entry, ...fields });
	return entries.some(({ isAdmin }) => isAdmin) ? { ...fields, isAdmin: true } : fields;
}

/** How a hint calls a person: also with the names, if there are several. */
function nameOf(entries: Entry[]): string {
	const people = peopleOf(entries);
	const names = new Set(people.flatMap(({ name }) => name ?? []));
	const { email, phoneNumber = '' } = merged(people);
	return `${email ?? phoneNumber}${names.size > 1 ? ` (${[...names].join(', ')})` : ''}`;
}

const repeatedText = (names: string[]) =>
	`${inWords(names)} ${names.length === 1 ? 'is' : 'are'} there more than once. Each person is invited once, with the first value of each field.`;

const SEVERAL =
	'each of these items makes a collection request of its own. To make one of all input items, set Specify Participants to From Input Items.';

/** A hint for items that all invite the same group of people, as a list of all input items does. */
function hintAboutCopies(hint: Run['hint'], results: PlannedResult[]): void {
	const copies = new Map<string, number[]>();
	for (const result of results) {
		if (!result.ok || result.value.people.length < 2) continue;
		const people = JSON.stringify(result.value.people.map(({ person }) => person));
		const itemIndexes = [...(copies.get(people) ?? []), ...result.value.itemIndexes];
		copies.set(people, itemIndexes);
	}
	for (const itemIndexes of [...copies.values()].filter(({ length }) => length > 1)) {
		for (const itemIndex of itemIndexes) {
			hint('The same people are invited', { itemIndex, reason: SEVERAL });
		}
	}
}
