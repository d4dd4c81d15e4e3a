import { unified } from '../basics/text';
import { textOf } from '../basics/values';
import { LONGEST_CELL } from './cells';
import { addressKey, type Contact, parseEmail, parsePhone } from './contact';

/** What tells people apart: the same text for every way to write it; empty if there is none. */
export interface PersonKeys {
	email: string;
	phone: string;
	name: string;
}

/** The keys of a person whose address and phone number are in the form that is sent. */
export const keysOfParsed = ({
	name,
	email,
	phoneNumber,
}: Partial<Record<keyof Contact, string>>) => ({
	email: addressKey(email ?? ''),
	// +41 (0)44 668 is +41 44 668.
	phone: (phoneNumber ?? '')
		.toLowerCase()
		.replace(/^((?:\+|00).*?)\(0\)/, '$1')
		.replace(/[\s\p{Pd}\p{Ps}\p{Pe}\u2212./·]/gu, '')
		.replace(/^(00|\++)/, '+'),
	name: unified(name ?? '')
		.replace(/\s+/g, ' ')
		.toLowerCase(),
});

/** The keys of whatever somebody has entered or the service says. */
export function personKeysOf({ name, email, phoneNumber }: Contact): PersonKeys {
	const address = (textOf(email) ?? '').slice(0, LONGEST_CELL + 1);
	const mailbox = parseEmail(address);
	const phone = parsePhone(textOf(phoneNumber) ?? '');
	return keysOfParsed({
		name: textOf(name),
		email: mailbox.ok ? mailbox.value.email : address,
		phoneNumber: phone.ok ? phone.value : '',
	});
}

interface KeyedEntry<T> {
	entry: T;
	position: number;
	keys: PersonKeys;
}

interface PersonEntries<T> {
	entries: Array<KeyedEntry<T>>;
	phones: Set<string>;
	names: Set<string>;
}

/**
 * The entries of each person, in the order of their first entries. Entries with the same email are one
 * person. An entry without one is the first person who has its number and its name; or its number, if the
 * entry or the person has no name.
 */
export function groupByPerson<T>(entries: T[], keysOf: (entry: T) => PersonKeys): T[][] {
	const keyed = entries.map((entry, position) => ({ entry, position, keys: keysOf(entry) }));
	const people = peopleByEmail(keyed.filter(({ keys }) => keys.email !== ''));
	const book = addressBook(people);
	// Behind those with an email, so that an entry finds its person wherever it is.
	for (const entry of keyed.filter(({ keys }) => keys.email === '')) {
		const same = book.find(entry.keys);
		const person = withEntry(same, entry);
		if (same === undefined) people.push(person);
		book.add(person);
	}
	const inOrder = people.map((person) => person.entries.sort((a, b) => a.position - b.position));
	inOrder.sort(([a], [b]) => (a?.position ?? 0) - (b?.position ?? 0));
	return inOrder.map((person) => person.map(({ entry }) => entry));
}

function peopleByEmail<T>(entries: Array<KeyedEntry<T>>): Array<PersonEntries<T>> {
	const people = new Map<string, PersonEntries<T>>();
	for (const entry of entries) {
		const { email } = entry.keys;
		people.set(email, withEntry(people.get(email), entry));
	}
	return [...people.values()];
}

/** A person, or a new one, who has this entry, too. */
function withEntry<T>(same: PersonEntries<T> | undefined, entry: KeyedEntry<T>): PersonEntries<T> {
	const person = same ?? { entries: [], phones: new Set(), names: new Set() };
	person.entries.push(entry);
	const { phone, name } = entry.keys;
	if (phone !== '') person.phones.add(phone);
	if (name !== '') person.names.add(name);
	return person;
}

/** People by number and name. A look-up is fast, however many share a number, or a name. */
function addressBook<T>(people: Array<PersonEntries<T>>) {
	const byPhone = new Map<string, Set<PersonEntries<T>>>();
	const byName = new Map<string, Set<PersonEntries<T>>>();
	const unnamed = new Map<string, Set<PersonEntries<T>>>();
	const note = (
		index: Map<string, Set<PersonEntries<T>>>,
		key: string,
		person: PersonEntries<T>,
	) => {
		const same = index.get(key);
		if (same === undefined) index.set(key, new Set([person]));
		else same.add(person);
	};
	const add = (person: PersonEntries<T>): void => {
		const { phones, names } = person;
		for (const name of names) note(byName, name, person);
		for (const phone of phones) {
			note(byPhone, phone, person);
			if (names.size === 0) note(unnamed, phone, person);
			else unnamed.get(phone)?.delete(person);
		}
	};
	for (const person of people) add(person);
	const find = ({ phone, name }: PersonKeys): PersonEntries<T> | undefined => {
		const all = byPhone.get(phone) ?? new Set();
		if (name === '') return firstIn(all);
		const namesakes = byName.get(name) ?? new Set();
		const [fewer, more] = all.size > namesakes.size ? [namesakes, all] : [all, namesakes];
		return firstIn(fewer, (person) => more.has(person)) ?? firstIn(unnamed.get(phone) ?? new Set());
	};
	return { add, find };
}

function firstIn<T>(people: Set<T>, isMeant: (person: T) => boolean = () => true): T | undefined {
	for (const person of people) if (isMeant(person)) return person;
	return undefined;
}
