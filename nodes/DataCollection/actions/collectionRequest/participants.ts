import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { InvitedParticipant } from '../../api/types';
import { keptWhole } from '../../fields';
import type { Parameters } from '../../parameters';
import { flagIn, textIn } from '../../parameters';
import { isGiven, isObject } from '../../values';

const modeField: INodeProperties = {
	displayName: 'Specify Participants',
	name: 'participantsMode',
	type: 'options',
	options: [
		{ name: 'Using Fields Below', value: 'fields' },
		{ name: 'Using JSON', value: 'json' },
	],
	default: 'fields',
	description: 'Whether to enter the invited participants one by one or as a JSON list',
};

const personFields: INodeProperties[] = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. Nathan Smith',
	},
	{
		displayName: 'Email',
		name: 'email',
		type: 'string',
		default: '',
		placeholder: 'e.g. nathan@example.com',
	},
	{
		displayName: 'Phone Number',
		name: 'phoneNumber',
		type: 'string',
		default: '',
		placeholder: 'e.g. +41 44 668 18 00',
	},
	{
		displayName: 'Is Admin',
		name: 'isAdmin',
		type: 'boolean',
		default: false,
		description: 'Whether this participant administers the collection request',
	},
];

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
		'A list of email addresses, or of objects with the fields <code>name</code>, <code>email</code>, <code>phoneNumber</code> and <code>isAdmin</code>, all of them optional',
	displayOptions: { show: { participantsMode: ['json'] } },
};

/** The fields for the invited participants, in the order in which the editor shows them. */
export const participantFields: INodeProperties[] = [
	modeField,
	...keptWhole(entriesField),
	jsonField,
];

/**
 * The invited participants, with only the fields that were filled in. Leaves out empty
 * entries, such as the optional person of a form. Throws a NodeOperationError that says which entry
 * is wrong, or that all of them are empty.
 */
export function givenParticipants(given: Parameters): InvitedParticipant[] {
	const entries = givenEntries(given);
	const invited = entries
		.map((entry, index) => participantIn(given, entry, index + 1))
		.filter((participant) => Object.keys(participant).length > 0);
	if (entries.length === 0 || invited.length > 0) return invited;
	const message = 'Participants has entries, but all are empty';
	const advice = 'Check the expressions, or remove the entries to invite nobody.';
	throw given.wrong({ message, advice });
}

/** The filled fields of an entry; none if the entry is empty. */
function participantIn(
	{ wrong }: Parameters,
	entry: IDataObject,
	position: number,
): InvitedParticipant {
	const filled = Object.entries(entry).filter(
		([, value]) => isGiven(value) && String(value).trim() !== '',
	);
	const names = filled.map(([name]) => name);
	const fieldOf = (name: string) => personFields.find((field) => field.name === name);
	const unknown = names.filter((name) => fieldOf(name) === undefined);
	if (unknown.length > 0) {
		const message = `Participant ${position} has unknown fields: ${unknown.slice(0, 10).join(', ')}`;
		const advice =
			'The API knows name, email, phoneNumber and isAdmin. Rename the other fields, e.g. { "email": "nathan@example.com" }, or remove them.';
		throw wrong({ message, advice });
	}
	const participant: InvitedParticipant = {};
	for (const [name, value] of filled) {
		const displayName = `${fieldOf(name)?.displayName} of participant ${position}`;
		const parse = name === 'isAdmin' ? flagIn : textIn;
		participant[name] = parse(wrong, { displayName }, value);
	}
	const { email = '@', isAdmin } = participant;
	if (!email.includes('@')) {
		const message = `Participant ${position} has no valid email: ${email.slice(0, 50)}`;
		const advice = 'Enter an address like nathan@example.com, or leave the email empty.';
		throw wrong({ message, advice });
	}
	if (names.some((name) => name !== 'isAdmin')) return participant;
	if (isAdmin !== true) return {};
	const advice = 'Enter a name, an email or a phone number, or remove the entry.';
	throw wrong({ message: `Participant ${position} is empty`, advice });
}

function givenEntries(given: Parameters): IDataObject[] {
	const field = given.choice(modeField) === 'json' ? jsonField : entriesField;
	const whole = given.given(field);
	if (field === jsonField || !hasFields(whole)) return listOf(given, whole, field.displayName);
	const { participant } = { participant: [], ...whole };
	const entries = listOf(given, given.found(field, participant), field.displayName);
	// The editor does not save the default.
	return entries.map((entry) => ({ isAdmin: false, ...entry }));
}

/** Whether this is what the fields below Participants give, and not one expression for all of it. */
const hasFields = (value: unknown): value is IDataObject =>
	isObject(value) && ('participant' in value || Object.keys(value).length === 0);

const LIST = 'Enter a list like [{ "name": "Nathan Smith", "email": "nathan@example.com" }].';

/** The objects in a list, which may be given as JSON. */
function listOf({ wrong }: Parameters, value: unknown, label: string): IDataObject[] {
	const given = typeof value === 'string' ? parseJson(wrong, value, label) : value;
	if (!Array.isArray(given)) {
		throw wrong({ message: `${label} is not a list`, advice: LIST });
	}
	const list = given.map(
		(entry) => (typeof entry === 'string' ? { email: entry } : entry) as unknown,
	);
	const odd = list.findIndex((entry) => !isObject(entry));
	if (odd === -1) return list as IDataObject[];
	throw wrong({ message: `Participant ${odd + 1} is not an object`, advice: LIST });
}

function parseJson(wrong: Parameters['wrong'], text: string, label: string): unknown {
	try {
		return JSON.parse(text.trim() === '' ? '[]' : text);
	} catch (error) {
		const message = `${label} is not valid JSON: ${(error as Error).message}`;
		throw wrong({ message, advice: LIST });
	}
}
