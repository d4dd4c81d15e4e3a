import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { yieldEvery } from '../basics/concurrency';
import { joinedErrors } from '../basics/explanation';
import { errorsOf } from '../basics/result';
import { inWords, shown } from '../basics/text';
import { toNodeError, userError } from '../n8n/errors';
import { valuesOf } from '../n8n/expressions';
import { parametersOf } from '../n8n/parameters';
import { refuseExecuteOnce } from '../n8n/refusedSettings';
import type { Run } from '../shared/operation';
import { hasGap, isFilled, textOfCell } from './cells';
import {
	enteredSource,
	filledColumns,
	findEmails,
	findNames,
	isUseful,
	namesIn,
	quoted,
	type Source,
	type Table,
	tableOf,
} from './columns';
import { type Draft, isBlank, readEntry } from './entry';
import {
	adminField,
	emailColumn,
	groupByField,
	nameColumn,
	oneRequestForField,
	phoneColumn,
} from './fields';
import { byGroup, byPerson, groupKey, hintAboutNobody, type Row } from './groups';

/**
 * The people of the input items, by collection request, in the order of their first items. Leaves out
 * items with nobody in them, which a hint names. Throws an error that says which items are wrong, the
 * first one also for n8n, unless the node continues on failures.
 */
export async function readFromItems(run: Run): Promise<Draft[]> {
	const { context, hint } = run;
	refuseExecuteOnce(context);
	const rows = await readRows(run);
	const people = rows.filter(({ entry }) => !isBlank(entry));
	const wrong = people.find(({ entry }) => !entry.ok)?.entry;
	if (wrong !== undefined && !context.continueOnFail()) {
		const errors = errorsOf(people.map(({ entry }) => entry));
		throw toNodeError(context.getNode(), userError(joinedErrors(errors)), wrong.itemIndex);
	}
	if (people.length === 0) throw userError(NOBODY);
	hintAboutNobody(rows, hint);
	const isPerPerson = parametersOf(context, 0).option(oneRequestForField) === 'person';
	return isPerPerson ? byPerson(people) : byGroup(people, hint);
}

const NOBODY = {
	message: 'No input item has a name, an email or a phone number',
	description: 'Check the columns or expressions in Name, Email and Phone Number.',
};

async function readRows(run: Run): Promise<Row[]> {
	const { context, hint } = run;
	const items = context.getInputData();
	const table = tableOf(items);
	const groupBy = groupSource(context, table);
	const sources = personSources(run, table, groupBy?.columns);
	const rows: Row[] = [];
	for (const itemIndex of items.keys()) {
		const label = `Item ${itemIndex + 1}`;
		let group = groupBy === undefined ? '' : undefined;
		const entry = readEntry({ label, itemIndex, hint }, () => {
			const cells = sources.map(([field, source]) => [field, source?.read(itemIndex)] as const);
			const isEmpty = !cells.some(([field, cell]) => field !== 'isAdmin' && isFilled(cell));
			const cell = groupBy?.read(itemIndex);
			if (groupBy && (!isEmpty || isFilled(cell))) group = groupIn(cell, label);
			return isEmpty ? {} : (Object.fromEntries(cells) as IDataObject);
		});
		rows.push({ entry, group, key: group === undefined ? itemIndex : groupKey(group) });
		await yieldEvery(100, itemIndex);
	}
	return rows;
}

/** The column of Group By, if it is used. Throws a UserError if it is empty in all items. */
function groupSource(context: IExecuteFunctions, table: Table): Source | undefined {
	if (parametersOf(context, 0).option(oneRequestForField) !== 'group') return undefined;
	const source = enteredSource(context, table, groupByField);
	if (source === undefined) throw userError(NO_GROUP);
	if (isUseful(table, source)) return source;
	const message = `Group By finds nothing in any item: they have ${namesIn(table)}`;
	throw userError({ message, description: NO_GROUP.description });
}

const NO_GROUP = {
	message: 'Group By is empty',
	description: 'Drag the column that separates the groups into Group By, or enter its name.',
};

/** The value of Group By. An empty value would put people together who have nothing in common. */
function groupIn(cell: unknown, label: string): string {
	const what = `Group By of ${label.toLowerCase()}`;
	const group = textOfCell(typeof cell === 'boolean' ? String(cell) : cell, what);
	const description = 'Check what this item has there.';
	if (group === '') throw userError({ message: `${what} is empty`, description });
	if (!hasGap(group)) return group;
	throw userError({ message: `A part of ${what} is missing: ${shown(group)}`, description });
}

/** What reads the fields of a person. Hints say in which columns they are, and what finds nothing. */
function personSources({ context, hint }: Run, table: Table, groupColumns: string[] = []) {
	const admin = { read: valuesOf(context, adminField, 'additionalFields'), columns: [] };
	const fields = [nameColumn, emailColumn, phoneColumn];
	const [name, email, phoneNumber] = fields.map((field) => enteredSource(context, table, field));
	for (const [index, source] of [name, email, phoneNumber, admin].entries()) {
		const { displayName } = fields[index] ?? adminField;
		if (source === undefined || isUseful(table, source)) continue;
		hint(`${displayName} finds nothing in any item. They have ${namesIn(table)}.`);
	}
	const names = name ? undefined : findNames(table, nameColumn);
	const emails = email ? undefined : findEmails(table, emailColumn);
	if (!name && !email && !phoneNumber && !emails) throw userError(noColumn(namesIn(table)));
	const columnsOfAll = (sources: Array<Source | undefined>) =>
		sources.flatMap((source) => source?.columns ?? []);
	const byHeading = columnsOfAll([names, emails]);
	if (byHeading.some((heading) => !['name', 'email'].includes(heading))) {
		hint(`Columns found by their headings: ${inWords(byHeading.map(quoted))}.`, 'info');
	}
	const used = [...byHeading, ...groupColumns, ...columnsOfAll([email, phoneNumber])];
	const hasMore = filledColumns(table).some((column) => !used.includes(column));
	if (!name && !names && hasMore) hint(noNames(namesIn(table)));
	return Object.entries({
		name: name ?? names,
		email: email ?? emails,
		phoneNumber,
		isAdmin: admin,
	} satisfies Record<string, Source | undefined>);
}

const noNames = (names: string) =>
	`No column with names was found, so none are sent. The input items have ${names}: drag one of them into Name.`;

const noColumn = (names: string) => ({
	message: `No column with email addresses was found: the input items have ${names}`,
	description:
		'Nothing has been created. Drag the column into Email. If nobody has an email, drag the names into Name.',
});
