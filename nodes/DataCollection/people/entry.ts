import type { IDataObject, UserError } from 'n8n-workflow';

import { type Explanation } from '../basics/explanation';
import { err, type Result } from '../basics/result';
import { shown } from '../basics/text';
import { userError } from '../n8n/errors';
import type { Hint } from '../n8n/hints';
import { booleanIn } from '../n8n/parameters';
import type { InvitedParticipant } from '../service/collectionRequest';
import { cellOf, hasGap, hasLostLetter, isFilled, textOfCell } from './cells';
import { parseEmail, parsePhone, type Problem } from './contact';
import { personFields } from './fields';
import { headingKey } from './headings';
import { keysOfParsed, type PersonKeys } from './samePerson';

/** What is entered about one person, or what is wrong with it. */
export type Entry = Result<InvitedParticipant, Explanation> & {
	itemIndex: number;
	keys: PersonKeys;
};

/** What makes one collection request: some input items, and the people in them. */
export interface Draft {
	itemIndexes: number[];
	group?: string;
	entries: Entry[];
	/** What is wrong with a list as a whole. */
	error?: unknown;
}

/** Whether an entry has nothing in it, such as the optional person of a form. */
export const isBlank = (entry: Entry): boolean => entry.ok && Object.keys(entry.value).length === 0;

/** Reads an entry. What cannot be read is an error with its label, such as `Item 1`. */
export function readEntry(
	{ label, itemIndex, hint }: { label: string; itemIndex: number; hint: Hint },
	read: () => IDataObject,
): Entry {
	try {
		const say: Say = (message, reason) => hint(message, { itemIndex, reason });
		const value = participantIn(read(), label, say);
		return { itemIndex, keys: keysOfParsed(value), ok: true, value };
	} catch (error) {
		const { message, description } = error as UserError;
		const isNamed = message.toLowerCase().includes(label.toLowerCase());
		const named = isNamed ? message : `${label}: ${message}`;
		const explanation = { message: named, description: description ?? 'Check the expressions.' };
		return { itemIndex, keys: keysOfParsed({}), ...err(explanation) };
	}
}

type Say = (message: string, reason: string) => void;

/** The fields of an entry; none if the entry is empty. */
function participantIn(given: IDataObject, label: string, say: Say): InvitedParticipant {
	const filled = filledIn(given, label);
	const cell = (name: string, displayName: string) =>
		textOfCell(filled.get(name), `${displayName} of ${label.toLowerCase()}`);
	const [email, phone] = [cell('email', 'Email'), cell('phoneNumber', 'Phone Number')];
	const mailbox = email === '' ? undefined : parsedOrThrow(parseEmail(email), label, email);
	const name = cell('name', 'Name') || mailbox?.name;
	checkTexts(name ?? '', mailbox?.email ?? '', say);
	if (typeof filled.get('phoneNumber') === 'number') say('The phone number is a number', NUMBER);
	const admin = { displayName: `Is Admin of ${label.toLowerCase()}` };
	const person: InvitedParticipant = {
		...(name && { name }),
		...(mailbox && { email: mailbox.email }),
		...(phone && { phoneNumber: parsedOrThrow(parsePhone(phone), label, phone) }),
	};
	const isEmpty = Object.keys(person).length === 0;
	if (!filled.has('isAdmin')) return person;
	const isAdmin = booleanIn(admin, filled.get('isAdmin'));
	if (!isEmpty) return { ...person, isAdmin };
	if (!isAdmin) return {};
	const description = 'Enter a name, an email or a phone number, or remove the entry.';
	throw userError({ message: `${label} is empty`, description });
}

/** The API's names of the fields, as they are compared. */
const FIELDS = new Map(
	personFields.flatMap(({ name }) => [name, headingKey(name)].map((key) => [key, name] as const)),
);

/** What is filled in of an entry, by the API's names of the fields, however a spreadsheet has them. */
function filledIn(given: IDataObject, label: string): Map<string, unknown> {
	const filled = new Map<string, unknown>();
	const unknown: string[] = [];
	for (const [key, value] of Object.entries(given)) {
		if (!isFilled(value)) continue;
		const name = FIELDS.get(key) ?? FIELDS.get(headingKey(key));
		if (name === undefined) {
			unknown.push(key);
			continue;
		}
		const earlier = filled.get(name) ?? value;
		if (String(earlier) !== String(value)) {
			const message = `${label} has two fields ${name}: ${shown(earlier)} and ${shown(value)}`;
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

const NUMBER =
	'a plus or a zero in front of it is lost. Format the column as text in the spreadsheet, and enter the phone numbers again.';

/** Hints about what can be sent, and is most likely not what somebody wants to send. */
function checkTexts(name: string, email: string, say: Say): void {
	for (const [field, text] of Object.entries({ Name: name, Email: email })) {
		const as = `as in "${shown(text)}".`;
		if (hasGap(text)) say(`A part of ${field} is missing`, `${as} Correct the expression.`);
		if (hasLostLetter(text)) {
			say(
				`A letter of ${field} was lost`,
				`${as} Choose the encoding of the file where it is read.`,
			);
		}
	}
	if (/@[^.]+$/.test(email)) {
		say('The domain of an address has no dot', `as in ${shown(email)}. It is sent as it is.`);
	}
}

/** What was read in a text of an entry. A problem is thrown. */
function parsedOrThrow<T>(parsed: Result<T, Problem>, label: string, text: string): T {
	if (parsed.ok) return parsed.value;
	const { what, description } = parsed.error;
	throw userError({ message: `${label} has ${what}: ${shown(text)}`, description });
}
