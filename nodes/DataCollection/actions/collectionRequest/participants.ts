import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isPresent, isObject } from '../../basics/values';
import { userError } from '../../n8n/errors';
import { withRawCopy } from '../../n8n/fields';
import type { Parameters } from '../../n8n/parameters';
import type { Run } from '../../requests/run';
import { splitAddresses } from '../../service/emailList';
import { type Invited, invitedPeople, personFields, readEntry } from './personEntries';

const modeField: INodeProperties = {
	displayName: 'Specify Participants',
	name: 'participantsMode',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'From Input Items',
			value: 'items',
			description:
				'All input items are the people of one collection request, or of one for each group',
		},
		{
			name: 'Using Fields Below',
			value: 'fields',
			description: 'One collection request for each input item, with the people entered below',
		},
		{
			name: 'Using JSON',
			value: 'json',
			description: 'One collection request for each input item, with a list of people',
		},
	],
	default: 'fields',
	description: 'Where the invited participants come from',
	builderHint: {
		propertyHint:
			'For rows of people who belong together, such as a sheet or a class, use "items" and set groupBy to the column that separates the groups. The other two make one collection request for each input item.',
	},
};

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
	options: [
		{
			displayName: 'Participant',
			name: 'participant',
			values: personFields,
		},
	],
};

const jsonField: INodeProperties = {
	displayName: 'Participants (JSON)',
	name: 'participantsJson',
	type: 'json',
	typeOptions: { rows: 5 },
	default: '',
	placeholder: 'e.g. [{ "name": "Nathan Smith", "email": "nathan@example.com" }]',
	description:
		'A list of objects with the fields <code>name</code>, <code>email</code>, <code>phoneNumber</code> and <code>isAdmin</code>, all of them optional. Or email addresses, separated by commas, semicolons or line breaks. Each input item makes a collection request of its own: to make one of all of them, choose <i>From Input Items</i> under Specify Participants.',
	displayOptions: { show: { participantsMode: ['json'] } },
};

/** The fields for the invited participants, in the order in which the editor shows them. */
export const participantFields: INodeProperties[] = [
	modeField,
	...withRawCopy(entriesField),
	jsonField,
];

const ALL_EMPTY = {
	message: 'Participants has entries, but all are empty',
	description: 'Check the expressions, or remove the entries to invite nobody.',
};

/** Whether each input item is one person. */
export const isFromItems = (parameters: Parameters): boolean =>
	parameters.value(modeField) === 'items';

/**
 * The people to invite, each once. Throws a UserError that says which entries are wrong, or
 * that all of them are empty.
 */
export function readParticipants(parameters: Parameters, hint: Run['hint']): Invited {
	const entries = readEntries(parameters).map((entry, index) =>
		readEntry(`Participant ${index + 1}`, () => entry),
	);
	return invitedPeople(hint, entries, ALL_EMPTY);
}

function readEntries(parameters: Parameters): IDataObject[] {
	const field = parameters.option(modeField) === 'json' ? jsonField : entriesField;
	const whole = parameters.present(field);
	if (field === jsonField || !hasFields(whole)) return listOf(whole, field.displayName);
	const { participant } = { participant: [], ...whole };
	const entries = listOf(parameters.found(field, participant), field.displayName);
	// The editor does not save the default.
	return entries.map((entry) => ({ isAdmin: false, ...entry }));
}

/** Whether this is what the fields below Participants give, and not one expression for all of it. */
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
	const odd = list.findIndex((entry) => entry === undefined);
	if (odd === -1) return list as IDataObject[];
	throw userError({ message: `Participant ${odd + 1} is not an object`, description: LIST });
}

/** The fields of an entry: an object, an item of n8n, an address, or nothing. */
function entryOf(entry: unknown): IDataObject | undefined {
	if (!isPresent(entry)) return {};
	if (typeof entry === 'string') return { email: entry };
	if (!isObject(entry)) return undefined;
	const isItem = isObject(entry.json) && Object.keys(entry).every((key) => ITEM.includes(key));
	return isItem ? (entry.json as IDataObject) : entry;
}

/** What an item of n8n consists of. */
const ITEM = ['json', 'binary', 'pairedItem', 'index', 'error', 'metadata', 'evaluationData'];

/** JSON, or email addresses as somebody has pasted them. */
function parseText(text: string, label: string): unknown {
	if (!/^\s*[[{]/.test(text)) return splitAddresses(text);
	try {
		return JSON.parse(text.trim(), asWritten);
	} catch (error) {
		const message = `${label} is not valid JSON: ${(error as Error).message}`;
		throw userError({ message, description: LIST });
	}
}

/**
 * Keeps 4.41E+11 as it stands in the text: as a phone number, it has lost its last digits. Node.js 20
 * does not tell how a number was written.
 */
const asWritten = (_name: string, value: unknown, { source = '' }: { source?: string } = {}) =>
	typeof value === 'number' && /e/i.test(source) ? source : value;
