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

interface Person<T> {
	entries: Array<{ entry: T; position: number }>;
	isNamed: boolean;
}

/**
 * The entries of each person, in the order of their first entries. Entries with the same email are one
 * person. If one of two entries has no email, they are one person if they have the same phone number
 * and the same name, or if one of them has no name, also from a third.
 */
export function groupByPerson<T>(entries: T[], keysOf: (entry: T) => PersonKeys): T[][] {
	const people: Array<Person<T>> = [];
	const book = addressBook<T>();
	for (const { keys, ...entry } of withEmailFirst(entries, keysOf)) {
		const same = book.find(keys);
		const person: Person<T> = same ?? { entries: [], isNamed: false };
		if (same === undefined) people.push(person);
		person.entries.push(entry);
		person.isNamed ||= keys.name !== '';
		book.add(keys, person);
	}
	const inOrder = people.map((person) => person.entries.sort((a, b) => a.position - b.position));
	inOrder.sort(([a], [b]) => (a?.position ?? 0) - (b?.position ?? 0));
	return inOrder.map((person) => person.map(({ entry }) => entry));
}

/** With an email first, so that an entry with a phone number alone finds its person, wherever it is. */
function withEmailFirst<T>(entries: T[], keysOf: (entry: T) => PersonKeys) {
	const withKeys = entries.map((entry, position) => ({ entry, position, keys: keysOf(entry) }));
	const lacksEmail = ({ keys }: { keys: PersonKeys }) => Number(keys.email === '');
	return withKeys.sort((a, b) => lacksEmail(a) - lacksEmail(b));
}

/** People by what tells them apart. Each look-up takes the same time, however many share a number. */
function addressBook<T>() {
	const people = new Map<string, Array<Person<T>>>();
	const ofEmail = ({ email }: PersonKeys) => `email ${email}`;
	const ofPhone = ({ phone }: PersonKeys) => `phone ${phone}`;
	const ofName = ({ phone }: PersonKeys, name: string) => `phone ${phone}, name ${name}`;
	return {
		add(keys: PersonKeys, person: Person<T>): void {
			const ofNumber = keys.phone === '' ? [] : [ofPhone(keys), ofName(keys, keys.name)];
			for (const key of [ofEmail(keys), ...ofNumber]) {
				const same = people.get(key);
				if (same === undefined) people.set(key, [person]);
				else same.push(person);
			}
		},
		/** Whoever has the number and the name; without a name, the first one who has the number. */
		find(keys: PersonKeys): Person<T> | undefined {
			const first = (key: string) => people.get(key)?.[0];
			if (keys.email !== '') return first(ofEmail(keys));
			if (keys.name === '') return first(ofPhone(keys));
			const unnamed = people.get(ofName(keys, '')) ?? [];
			// Whoever has got a name since then keeps it.
			while (unnamed[0]?.isNamed) unnamed.shift();
			return first(ofName(keys, keys.name)) ?? unnamed[0];
		},
	};
}
