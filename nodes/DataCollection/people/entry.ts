import type { IDataObject, UserError } from 'n8n-workflow';

import { err, type Explanation, type Result } from '../basics/result';
import { shown, textOf, visible } from '../basics/values';
import { userError } from '../n8n/errors';
import { booleanIn, type Hint } from '../n8n/parameters';
import type { InvitedParticipant } from '../service/types';
import { cellOf, headingKey, isFilled } from './columns';
import {
	keysOfParsed,
	LONGEST,
	type Mailbox,
	parseEmail,
	parsePhone,
	type PersonKeys,
} from './contact';
import { personFields } from './fields';

/** What is entered about one person, or what is wrong with it. Messages call it by its label. */
export type Entry = Result<InvitedParticipant, Explanation> & {
	/** Such as `Item 1` or `Participant 1`. */
	label: string;
	itemIndex: number;
	keys: PersonKeys;
};

/** What makes one collection request: some input items, and the people in them. */
export interface Draft {
	itemIndexes: number[];
	/** The value of Group By, if it is used. */
	group?: string;
	entries: Entry[];
	/** What is wrong with a list as a whole. */
	error?: unknown;
}

/** Whether an entry has nothing in it, such as the optional person of a form. */
export const isBlank = (entry: Entry): boolean => entry.ok && Object.keys(entry.value).length === 0;

/** Reads an entry. What cannot be read is an error that names the entry. */
export function readEntry(
	{ label, itemIndex, hint }: { label: string; itemIndex: number; hint: Hint },
	read: () => IDataObject,
): Entry {
	try {
		const say: Say = (message, reason) => hint(message, { itemIndex, reason });
		const value = participantIn(read(), label, say);
		return { label, itemIndex, keys: keysOfParsed(value), ok: true, value };
	} catch (error) {
		const { message, description } = error as UserError;
		const isNamed = message.toLowerCase().includes(label.toLowerCase());
		const named = isNamed ? message : `${label}: ${message}`;
		const explanation = { message: named, description: description ?? '' };
		return { label, itemIndex, keys: keysOfParsed({}), ...err(explanation) };
	}
}

/** Shows a hint about an entry. */
type Say = (message: string, reason: string) => void;

/** The fields of an entry; none if the entry is empty. */
function participantIn(given: IDataObject, label: string, say: Say): InvitedParticipant {
	const filled = filledIn(given, label);
	const cell = (name: string, displayName: string) =>
		textOfCell(filled.get(name), `${displayName} of ${label.toLowerCase()}`);
	const [email, phone] = [cell('email', 'Email'), cell('phoneNumber', 'Phone Number')];
	const mailbox = email === '' ? undefined : mailboxIn(email, label, say);
	const name = cell('name', 'Name') || mailbox?.name;
	if (name !== undefined) checkName(name, say);
	if (typeof filled.get('phoneNumber') === 'number') say('The phone number is a number', NUMBER);
	const admin = { displayName: `Is Admin of ${label.toLowerCase()}` };
	const person: InvitedParticipant = {
		...(name && { name }),
		...(mailbox && { email: mailbox.email }),
		...(phone && { phoneNumber: phoneIn(phone, label) }),
	};
	const isEmpty = Object.keys(person).length === 0;
	if (!filled.has('isAdmin')) return person;
	const isAdmin = booleanIn(admin, filled.get('isAdmin'));
	if (!isEmpty) return { ...person, isAdmin };
	if (!isAdmin) return {};
	const description = 'Enter a name, an email or a phone number, or remove the entry.';
	throw userError({ message: `${label} is empty`, description });
}

/** What is filled in of an entry, by the API's names of the fields, however a spreadsheet has them. */
function filledIn(given: IDataObject, label: string): Map<string, unknown> {
	const filled = new Map<string, unknown>();
	const unknown: string[] = [];
	for (const [key, value] of Object.entries(given)) {
		if (!isFilled(value)) continue;
		const { name } = personFields.find((field) => headingKey(field.name) === headingKey(key)) ?? {};
		if (name === undefined) {
			unknown.push(key);
			continue;
		}
		const other = filled.get(name) ?? value;
		if (String(other) !== String(value)) {
			const message = `${label} has two fields ${name}: ${shown(other)} and ${shown(value)}`;
			throw userError({ message, description: 'Remove or rename one of them.' });
		}
		filled.set(name, cellOf(value));
	}
	if (unknown.length === 0) return filled;
	const message = `${label} has unknown fields: ${unknown.slice(0, 10).join(', ')}`;
	const description =
		'The API knows name, email, phoneNumber and isAdmin. Rename the other fields, e.g. { "email": "nathan@example.com" }, or remove them.';
	throw userError({ message, description });
}

/** What a spreadsheet writes for an error, in any language: `#REF!`, `#NAME?`, `#N/A`, `#NV`. */
const SPREADSHEET_ERROR = /^#(?:\S*[!?]|\p{L}\/\p{L}|NV)$/iu;

/** The text in a cell, as it is seen. Throws a UserError if it is no text, too long, or an error. */
export function textOfCell(value: unknown, what: string): string {
	const text = textOf(value ?? '');
	if (text === undefined) {
		const description = 'Check the expression: it returns an object or a list.';
		throw userError({ message: `${what} is not text`, description });
	}
	if (text.length > LONGEST) {
		const message = `${what} is too long: it has ${text.length} characters`;
		const description = `At most ${LONGEST} can be used. Correct the cell.`;
		throw userError({ message, description });
	}
	const seen = visible(text);
	if (!SPREADSHEET_ERROR.test(seen)) return seen;
	const message = `${what} is an error of the spreadsheet: ${seen}`;
	throw userError({ message, description: 'Correct the cell in the spreadsheet.' });
}

const NUMBER =
	'a plus or a zero in front of it is lost. Format the column as text in the spreadsheet, and enter the phone numbers again.';

/** What an expression writes that joins texts of which one is not there. */
const NOTHING_IN_NAME = /(?:^|\s)(?:undefined|null|NaN|\[object Object\])(?=\s|$)/;

function checkName(name: string, say: Say): void {
	// "Null" is a surname.
	if (!NOTHING_IN_NAME.test(name)) return;
	say('A part of the name is missing', `as in "${shown(name)}". Correct the expression in Name.`);
}

function mailboxIn(text: string, label: string, say: Say): Mailbox {
	const parsed = parseEmail(text);
	if (parsed.ok) {
		const [, domain = ''] = parsed.value.email.split('@');
		const reason = `as in ${shown(parsed.value.email)}. It is sent as it is.`;
		if (!domain.includes('.')) say('The domain of an address has no dot', reason);
		return parsed.value;
	}
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
