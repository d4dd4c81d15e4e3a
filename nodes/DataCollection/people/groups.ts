import { unified } from '../basics/text';
import type { Hint } from '../n8n/hints';
import { type Draft, type Entry, isBlank } from './entry';
import { groupByPerson } from './samePerson';

export interface Row {
	entry: Entry;
	/** The value of Group By; empty if it is not used, undefined if it is not known. */
	group?: string;
	/** The same for all rows of a group. */
	key: string | number;
}

/** The same for a label in any width. As numbers, `5²` and `52` are the same, too, and ① is 1. */
export const groupKey = (group: string): string =>
	/[²³¹\u2070-\u209f\u2460-\u24ff]/.test(group) ? group : unified(group);

/** Each person alone, with all their items. */
export const byPerson = (rows: Row[]): Draft[] =>
	groupByPerson(
		rows.map(({ entry }) => entry),
		({ keys }) => keys,
	).map((entries) => draftOf(entries));

/** The rows with the same value of Group By. A row whose value is not known stays alone. */
export function byGroup(rows: Row[], hint: Hint): Draft[] {
	const groups = new Map<Row['key'], Row[]>();
	for (const row of rows) {
		const group = groups.get(row.key);
		if (group === undefined) groups.set(row.key, [row]);
		else group.push(row);
	}
	const all = [...groups.values()];
	hintAlike(
		hint,
		all.flatMap(([first]) => first?.group ?? []),
	);
	return all.map((group) =>
		draftOf(
			group.map(({ entry }) => entry),
			group[0]?.group || undefined,
		),
	);
}

function hintAlike(hint: Hint, groups: string[]): void {
	const seen = new Map<string, string>();
	for (const group of groups) {
		const label = groupKey(group)
			.toLowerCase()
			.replace(/[\s\p{Pd}_]/gu, '');
		const earlier = seen.get(label);
		seen.set(label, group);
		if (earlier === undefined) continue;
		hint(
			`Group By has "${earlier}" and "${group}", which differ only in case, spaces or dashes. Each has a collection request of its own.`,
		);
	}
}

const draftOf = (entries: Entry[], group?: string): Draft => ({
	itemIndexes: entries.map(({ itemIndex }) => itemIndex),
	group,
	entries,
});

export function hintAboutNobody(rows: Row[], hint: Hint): void {
	const invited = new Set(rows.flatMap(({ entry, key }) => (isBlank(entry) ? [] : key)));
	for (const { entry, group = '', key } of rows.filter((row) => isBlank(row.entry))) {
		const { itemIndex } = entry;
		hint('Nobody is invited', {
			itemIndex,
			reason: 'without a name, an email and a phone number, a row is left out.',
		});
		if (group !== '' && !invited.has(key)) hint(`Nobody of the group "${group}" is invited.`);
	}
}
