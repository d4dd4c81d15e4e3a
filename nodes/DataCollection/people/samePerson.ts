import type { PersonKeys } from './contact';

/** A person: the entries about them. */
interface Person<T> {
	entries: Array<{ entry: T; position: number }>;
	isNamed: boolean;
}

/**
 * The entries of each person, in the order of their first entries. Entries with the same email are one
 * person. If one of two entries has no email, they are one person if they have the same phone number
 * and the same name, or if one of them has no name.
 */
export function groupByPerson<T>(entries: T[], keysOf: (entry: T) => PersonKeys): T[][] {
	const people: Array<Person<T>> = [];
	const byEmail = new Map<string, Person<T>>();
	const byPhone = phoneBook<T>();
	for (const { keys, ...entry } of bestKnownFirst(entries, keysOf)) {
		const same = keys.email === '' ? byPhone.find(keys) : byEmail.get(keys.email);
		const person: Person<T> = same ?? { entries: [], isNamed: false };
		if (same === undefined) people.push(person);
		person.entries.push(entry);
		person.isNamed ||= keys.name !== '';
		if (keys.email !== '') byEmail.set(keys.email, person);
		if (keys.phone !== '') byPhone.add(keys, person);
	}
	const inOrder = people.map((person) => person.entries.sort((a, b) => a.position - b.position));
	inOrder.sort(([a], [b]) => (a?.position ?? 0) - (b?.position ?? 0));
	return inOrder.map((person) => person.map(({ entry }) => entry));
}

/** Those with an email, then those with a name: the order of the entries decides nothing. */
function bestKnownFirst<T>(entries: T[], keysOf: (entry: T) => PersonKeys) {
	const withKeys = entries.map((entry, position) => ({
		entry,
		position,
		keys: keysOf(entry),
	}));
	const rank = ({ keys: { email, name } }: { keys: PersonKeys }) =>
		email === '' ? 1 + Number(name === '') : 0;
	return withKeys.sort((a, b) => rank(a) - rank(b));
}

/** People by their phone numbers. Each look-up takes the same time, however many share a number. */
function phoneBook<T>() {
	const byName = new Map<string, Person<T>>();
	const all = new Map<string, { first: Person<T>; unnamed: Array<Person<T>> }>();
	const nameKey = ({ phone, name }: PersonKeys) => `${phone}\n${name}`;
	return {
		add(keys: PersonKeys, person: Person<T>): void {
			const known = byName.get(nameKey(keys));
			if (known === undefined) byName.set(nameKey(keys), person);
			const owners = all.get(keys.phone) ?? { first: person, unnamed: [] };
			if (!person.isNamed) owners.unnamed.push(person);
			all.set(keys.phone, owners);
		},
		/** Whoever has the number and the name; without a name, the first one who has the number. */
		find(keys: PersonKeys): Person<T> | undefined {
			const owners = all.get(keys.phone);
			if (owners === undefined || keys.name === '') return owners?.first;
			const same = byName.get(nameKey(keys));
			if (same !== undefined) return same;
			// Entries with a name come first, so whoever has got one since then keeps it.
			while (owners.unnamed[0]?.isNamed) owners.unnamed.shift();
			return owners.unnamed[0];
		},
	};
}
