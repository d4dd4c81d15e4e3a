import { type IDataObject, type INodeProperties, type UserError } from 'n8n-workflow';

import { err, errorsOf, type Explanation, joined, type Result } from '../../basics/result';
import { inWords, isPresent, shown, visible } from '../../basics/values';
import { userError } from '../../n8n/errors';
import { booleanIn, textIn } from '../../n8n/parameters';
import type { Run } from '../../requests/run';
import { groupByPerson, type Mailbox, parseEmail, parsePhone } from '../../people/contact';
import type { InvitedParticipant } from '../../service/types';

/** What is entered about a person, in the order in which the editor shows it. */
export const personFields: INodeProperties[] = [
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

/** What is entered about one person, or what is wrong with it. Messages call it by its label. */
export type Entry = Result<InvitedParticipant, Explanation> & {
	label: string;
	/** The index of the input item, if it is one person. */
	itemIndex?: number;
};

/** The people to invite, each once, and the first entry of each. */
export interface Invited {
	people: InvitedParticipant[];
	entries: Entry[];
}

const MOST_ERRORS = 10;

/** Reads an entry, such as `Participant 1`. What cannot be read is an error that names the entry. */
export function readEntry(label: string, read: () => IDataObject): Entry {
	try {
		return { label, ok: true, value: participantIn(read(), label) };
	} catch (error) {
		const { message, description } = error as UserError;
		const isNamed = message.toLowerCase().includes(label.toLowerCase());
		const named = isNamed ? message : `${label}: ${message}`;
		return { label, ...err({ message: named, description: description ?? '' }) };
	}
}

/**
 * The people in these entries, each with the fields of all their entries: the first value of each
 * field, and admin if one of them says so. Leaves out empty entries, such as the optional person of a
 * form. A hint names people with several entries. Throws a UserError that says which entries are
 * wrong, or, in the given words, that all of them are empty.
 */
export function invitedPeople(hint: Run['hint'], entries: Entry[], allEmpty: Explanation): Invited {
	const errors = errorsOf(entries);
	if (errors.length > 0) throw userError(severalErrors(errors));
	const entryOf = new Map<InvitedParticipant, Entry>();
	for (const entry of entries) {
		if (entry.ok && Object.keys(entry.value).length > 0) entryOf.set(entry.value, entry);
	}
	if (entryOf.size === 0 && entries.length > 0) throw userError(allEmpty);
	const groups = groupByPerson([...entryOf.keys()]);
	if (groups.length < entryOf.size) hint(repeated(entryOf.size, groups));
	return {
		people: groups.map(merged),
		entries: groups.flatMap(([first]) => (first && entryOf.get(first)) ?? []),
	};
}

/** All that is wrong with a list, so that it can be corrected at once. */
export function severalErrors(errors: Explanation[]): Explanation {
	const { message, description } = joined(errors.slice(0, MOST_ERRORS));
	const more = errors.length - MOST_ERRORS;
	return { message: more > 0 ? `${message}. And ${more} more` : message, description };
}

function merged(entries: InvitedParticipant[]): InvitedParticipant {
	const fields = Object.assign({}, ...[...entries].reverse()) as InvitedParticipant;
	return entries.some(({ isAdmin }) => isAdmin) ? { ...fields, isAdmin: true } : fields;
}

function repeated(count: number, groups: InvitedParticipant[][]): string {
	const people = groups.length === 1 ? '1 person' : `${groups.length} people`;
	const several = groups.filter(({ length }) => length > 1);
	const names = several.map(([one]) => one?.email ?? one?.phoneNumber ?? '');
	const are = names.length === 1 ? 'is' : 'are';
	return `${count} entries are ${people}: ${inWords(names)} ${are} there more than once. Each person is sent once, with the fields of all their entries.`;
}

/** The fields of an entry; none if the entry is empty. */
function participantIn(given: IDataObject, label: string): InvitedParticipant {
	const filled = filledIn(given, label);
	const participant: InvitedParticipant = {};
	for (const { displayName, name } of personFields) {
		if (!filled.has(name)) continue;
		const field = { displayName: `${displayName} of ${label.toLowerCase()}` };
		const parse = name === 'isAdmin' ? booleanIn : textIn;
		participant[name] = parse(field, filled.get(name));
	}
	const { name, email, phoneNumber, isAdmin } = participant;
	if (email !== undefined) {
		Object.assign(participant, mailboxIn(email, label), name !== undefined && { name });
	}
	if (phoneNumber !== undefined) participant.phoneNumber = phoneIn(phoneNumber, label);
	if ([...filled.keys()].some((one) => one !== 'isAdmin')) return participant;
	if (isAdmin !== true) return {};
	const description = 'Enter a name, an email or a phone number, or remove the entry.';
	throw userError({ message: `${label} is empty`, description });
}

const keyOf = (name: string) => visible(name).toLowerCase();

/** What is filled in of an entry, by the API's names of the fields, however a spreadsheet has them. */
function filledIn(given: IDataObject, label: string): Map<string, unknown> {
	const filled = new Map<string, unknown>();
	const unknown: string[] = [];
	for (const [key, value] of Object.entries(given)) {
		if (!isPresent(value) || visible(String(value)) === '') continue;
		const { name } = personFields.find((field) => keyOf(field.name) === keyOf(key)) ?? {};
		if (name === undefined) {
			unknown.push(key);
			continue;
		}
		const other = filled.get(name) ?? value;
		if (String(other) !== String(value)) {
			const message = `${label} has two fields ${name}: ${shown(other)} and ${shown(value)}`;
			throw userError({ message, description: 'Remove or rename one of them.' });
		}
		filled.set(name, value);
	}
	if (unknown.length === 0) return filled;
	const message = `${label} has unknown fields: ${unknown.slice(0, 10).join(', ')}`;
	const description =
		'The API knows name, email, phoneNumber and isAdmin. Rename the other fields, e.g. { "email": "nathan@example.com" }, or remove them.';
	throw userError({ message, description });
}

function mailboxIn(text: string, label: string): Mailbox {
	const parsed = parseEmail(text);
	if (parsed.ok) return parsed.value;
	if (parsed.error === 'several') {
		const message = `${label} has more than one email: ${shown(text)}`;
		throw userError({ message, description: 'Make an entry of its own for each person.' });
	}
	const message = `${label} has no valid email: ${shown(text)}`;
	const description = 'Enter an address like nathan@example.com, or leave the email empty.';
	throw userError({ message, description });
}

const LIKE = 'Enter a number like +41 44 668 18 00, or leave the phone number empty.';

/** Why a phone number cannot be sent, and what to do about it. */
const PHONES = {
	invalid: { what: 'has no valid phone number', description: LIKE },
	several: { what: 'has more than one phone number', description: 'Enter one of them.' },
	quantity: {
		what: 'has a phone number that looks like a number that a spreadsheet has changed',
		description: 'Format the column as text in the spreadsheet, and enter the phone numbers again.',
	},
};

function phoneIn(text: string, label: string): string {
	const parsed = parsePhone(text);
	if (parsed.ok) return parsed.value;
	const { what, description } = PHONES[parsed.error];
	throw userError({ message: `${label} ${what}: ${shown(text)}`, description });
}
