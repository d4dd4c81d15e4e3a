import { unified } from '../basics/values';
import type { Hint } from '../n8n/parameters';
import { type Draft, type Entry, isBlank } from './entry';
import { groupByPerson } from './samePerson';

/** An input item, and the value of Group By if it is known. */
export interface Row {
	entry: Entry;
	group?: string;
}

/** Each person alone, with all their items. */
export const byPerson = (rows: Row[]): Draft[] =>
	groupByPerson(
		rows.map(({ entry }) => entry),
		({ keys }) => keys,
	).map((entries) => draftOf(entries));

/** The rows with the same value of Group By. One whose value is not known stays alone. */
export function byGroup(rows: Row[], hint: Hint): Draft[] {
	const groups = new Map<string | number, Row[]>();
	for (const row of rows) {
		const key = row.group === undefined ? row.entry.itemIndex : unified(row.group);
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [row]);
		else group.push(row);
	}
	hintAlike(
		hint,
		[...groups.values()].map(([first]) => first?.group ?? ''),
	);
	return [...groups.values()].map((all) =>
		draftOf(
			all.map(({ entry }) => entry),
			all[0]?.group || undefined,
		),
	);
}

/** A hint for values of Group By that look like one, and are several. */
function hintAlike(hint: Hint, groups: string[]): void {
	const labels = new Map<string, string>();
	for (const group of groups) {
		const label = unified(group)
			.toLowerCase()
			.replace(/[\s\p{Pd}_]/gu, '');
		const other = labels.get(label);
		labels.set(label, group);
		if (other === undefined) continue;
		hint(
			`Group By has "${other}" and "${group}", which differ only in case, spaces or dashes. Each has a collection request of its own.`,
		);
	}
}

const draftOf = (entries: Entry[], group?: string): Draft => ({
	itemIndexes: entries.map(({ itemIndex }) => itemIndex),
	group,
	entries,
});

/** Hints for items and groups with nobody in them. */
export function hintAboutNobody(rows: Row[], hint: Hint): void {
	const invited = new Set(
		rows.flatMap(({ entry, group }) => (isBlank(entry) ? [] : unified(group ?? ''))),
	);
	const empty = rows.filter(({ entry }) => isBlank(entry));
	for (const { entry, group = '' } of empty) {
		const { itemIndex } = entry;
		hint('Nobody is invited', { itemIndex, reason: 'no name, email or phone number is there.' });
		if (group !== '' && !invited.has(unified(group))) {
			hint(`Nobody of the group "${group}" is invited.`);
		}
	}
}
