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
	isNamed: boolean;
}

/**
 * The entries of each person, in the order of their first entries. Entries with the same email are one
 * person. An entry without one is the first person who has its number and its name; or its number, if the
 * entry or the person has no name.
 */
export function groupByPerson<T>(entries: T[], keysOf: (entry: T) => PersonKeys): T[][] {
	const keyed = entries.map((entry, position) => ({ entry, position, keys: keysOf(entry) }));
	const people = peopleByEmail(keyed.filter(({ keys }) => keys.email !== ''));
	const book = addressBook<T>();
	for (const person of people) for (const { keys } of person.entries) book.add(keys, person);
	// Behind those with an email, so that an entry finds its person wherever it is.
	for (const entry of keyed.filter(({ keys }) => keys.email === '')) {
		const same = book.find(entry.keys);
		const person = withEntry(same, entry);
		if (same === undefined) people.push(person);
		book.add(entry.keys, person);
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
	const person = same ?? { entries: [], isNamed: false };
	person.entries.push(entry);
	person.isNamed ||= entry.keys.name !== '';
	return person;
}

/** People by number and name. Look-ups stay fast, however many share a number or a name. */
function addressBook<T>() {
	const people = new Map<string, Set<PersonEntries<T>>>();
	const all = (key: string) => people.get(key) ?? new Set<PersonEntries<T>>();
	const ofUnnamed = ({ phone }: PersonKeys) => `phone ${phone}, no name`;
	const ofBoth = ({ phone, name }: PersonKeys) => `phone ${phone}, name ${name}`;

	function add(keys: PersonKeys, person: PersonEntries<T>): void {
		const { email, phone, name } = keys;
		const noted = [phone && `phone ${phone}`, name && `name ${name}`];
		if (phone !== '' && !person.isNamed) noted.push(ofUnnamed(keys));
		// So that the next entry like this need not look for the person among all namesakes.
		if (email === '' && phone !== '' && name !== '') noted.push(ofBoth(keys));
		for (const key of noted) if (key !== '') people.set(key, all(key).add(person));
	}

	function find(keys: PersonKeys): PersonEntries<T> | undefined {
		const withPhone = all(`phone ${keys.phone}`);
		if (keys.name === '') return first(withPhone);
		const namesakes = all(`name ${keys.name}`);
		const [fewer, more] =
			namesakes.size < withPhone.size ? [namesakes, withPhone] : [withPhone, namesakes];
		return (
			first(all(ofBoth(keys))) ??
			first(fewer, (person) => more.has(person)) ??
			firstUnnamed(all(ofUnnamed(keys)))
		);
	}
	return { add, find };
}

function first<T>(people: Set<T>, isMeant: (person: T) => boolean = () => true): T | undefined {
	for (const person of people) if (isMeant(person)) return person;
	return undefined;
}

/** Whoever has got a name since then keeps it. */
function firstUnnamed<T>(people: Set<PersonEntries<T>>): PersonEntries<T> | undefined {
	for (const person of people) {
		if (!person.isNamed) return person;
		people.delete(person);
	}
	return undefined;
}
