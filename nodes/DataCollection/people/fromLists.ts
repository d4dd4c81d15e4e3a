import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { yieldEvery } from '../basics/concurrency';
import { isObject, isPresent } from '../basics/values';
import { userError } from '../n8n/errors';
import { isExpression } from '../n8n/expressions';
import { withRawCopy } from '../n8n/fields';
import { type Parameters, parametersOf, presentIn } from '../n8n/parameters';
import type { Run } from '../shared/operation';
import { isFilled } from './cells';
import { type Draft, type Entry, readEntry } from './entry';
import { modeField, personFields } from './fields';

const entriesField: INodeProperties = {
	displayName: 'Participants',
	name: 'participants',
	type: 'fixedCollection',
	typeOptions: {
		multipleValues: true,
		sortable: true,
		fixedCollection: {
			itemTitle: '={{ $collection.item.value.name || $collection.item.value.email }}',
		},
	},
	placeholder: 'Add Participant',
	default: {},
	description: 'The people invited to fill in the form',
	displayOptions: { show: { participantsMode: ['fields'] } },
	options: [{ displayName: 'Participant', name: 'participant', values: personFields }],
};

const jsonField: INodeProperties = {
	displayName: 'Participants (JSON)',
	name: 'participantsJson',
	type: 'json',
	typeOptions: { rows: 5 },
	default: '',
	placeholder: 'e.g. [{ "name": "Nathan Smith", "email": "nathan@example.com" }]',
	description:
		'A list of objects with the fields <code>name</code>, <code>email</code>, <code>phoneNumber</code> and <code>isAdmin</code>, all of them optional. Or email addresses, separated by commas, semicolons or line breaks.',
	displayOptions: { show: { participantsMode: ['json'] } },
};

export const listFields: INodeProperties[] = [...withRawCopy(entriesField), jsonField];

/**
 * The entries of the list of each input item, or why it has none. If an expression for a field of a
 * person finds nothing in any item, a hint names the field.
 */
export async function readFromLists(run: Run): Promise<Draft[]> {
	const { context, hint } = run;
	const filledOnce = new Map<string, boolean>();
	const drafts: Draft[] = [];
	for (const itemIndex of context.getInputData().keys()) {
		const entries: Entry[] = [];
		let error: unknown;
		try {
			const given = entriesIn(parametersOf(context, itemIndex, hint));
			for (const [position, entry] of given.entries()) {
				noteFilled(run, filledOnce, entry, position);
				const label = `Participant ${position + 1}`;
				entries.push(readEntry({ label, itemIndex, hint }, () => entry));
				await yieldEvery(100, position);
			}
		} catch (thrown) {
			error = thrown;
		}
		drafts.push({ itemIndexes: [itemIndex], entries, error });
	}
	for (const [field, isFilledOnce] of filledOnce) {
		if (!isFilledOnce) hint(`${field} finds nothing in any item.`);
	}
	return drafts;
}

/** Notes for each field that an expression fills whether it has ever found something. */
function noteFilled(run: Run, filled: Map<string, boolean>, entry: IDataObject, position: number) {
	for (const field of personFields) {
		const name = field.name in entry && expressionFor(run, field, position);
		if (name) filled.set(name, filled.get(name) || isFilled(entry[field.name]));
	}
}

/** What to call a field of a participant that an expression fills. */
function expressionFor({ context }: Run, field: INodeProperties, position: number) {
	const { participantsMode, participants, participantsJson } = context.getNode().parameters;
	const whole = participantsMode === 'json' ? participantsJson : participants;
	if (isExpression(whole)) return `${field.displayName} of the participants`;
	const { participant } = whole as { participant?: IDataObject[] };
	const isOwn = isExpression(participant?.[position]?.[field.name]);
	return isOwn ? `${field.displayName} of participant ${position + 1}` : undefined;
}

function entriesIn(parameters: Parameters): IDataObject[] {
	const field = parameters.option(modeField) === 'json' ? jsonField : entriesField;
	const whole = parameters.present(field);
	if (field === jsonField || !hasFields(whole)) return listOf(whole, field.displayName);
	const { participant } = { participant: [], ...whole };
	const entries = listOf(presentIn(field, participant), field.displayName);
	// The editor does not save the default.
	return entries.map((entry) => ({ isAdmin: false, ...entry }));
}

/** Whether this is what the fields below Participants give, and not an expression for the whole list. */
const hasFields = (value: unknown): value is IDataObject =>
	isObject(value) && ('participant' in value || Object.keys(value).length === 0);

const LIST =
	'Enter a list like [{ "name": "Nathan Smith", "email": "nathan@example.com" }], or email addresses separated by commas.';

/** The entries of a list, which may be given as a text. */
function listOf(value: unknown, label: string): IDataObject[] {
	const entered = typeof value === 'string' ? parseText(value, label) : value;
	if (!Array.isArray(entered)) {
		throw userError({ message: `${label} is not a list`, description: LIST });
	}
	const list = entered.map(entryOf);
	const wrong = list.findIndex((entry) => entry === undefined);
	if (wrong === -1) return list as IDataObject[];
	throw userError({ message: `Participant ${wrong + 1} is not an object`, description: LIST });
}

/** The fields of an entry: an object, an item of n8n, an address, or nothing. */
function entryOf(entry: unknown): IDataObject | undefined {
	if (!isPresent(entry)) return {};
	if (typeof entry === 'string') return { email: entry };
	if (!isObject(entry)) return undefined;
	const isItem = isObject(entry.json) && Object.keys(entry).every((key) => ITEM.includes(key));
	return isItem ? (entry.json as IDataObject) : entry;
}

const ITEM = ['json', 'binary', 'pairedItem', 'index', 'error', 'metadata', 'evaluationData'];

/** JSON, or email addresses as somebody has pasted them. */
function parseText(text: string, label: string): unknown {
	if (!/^\s*[[{]/.test(text)) return splitAddresses(text);
	try {
		return JSON.parse(text.trim());
	} catch (error) {
		const message = `${label} is not valid JSON: ${(error as Error).message}`;
		throw userError({ message, description: LIST });
	}
}

/** What separates addresses, and a text in double quotes, in which nothing does. */
const PARTS = /"(?:\\.|[^"\\\r\n])*"?|[,;\r\n]|[^",;\r\n]+/g;

/**
 * The entries of a list of addresses that somebody has pasted. A comma behind what is no address
 * separates nothing: in `Lovelace, Ada <ada@example.com>`, it is a part of the name.
 */
function splitAddresses(text: string): string[] {
	const entries = [''];
	for (const [part] of text.matchAll(PARTS)) {
		const last = entries.length - 1;
		const entry = entries[last] ?? '';
		const isNameOnly = part === ',' && entry.trim() !== '' && !entry.includes('@');
		if (/^[,;\r\n]$/.test(part) && !isNameOnly) entries.push('');
		else entries[last] = `${entry}${part}`;
	}
	return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}
