import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { yieldEvery } from '../basics/concurrency';
import { errorsOf, joined } from '../basics/result';
import { inWords, shown } from '../basics/values';
import { toNodeError, userError } from '../n8n/errors';
import { valuesOf } from '../n8n/expressions';
import { refuseExecuteOnce } from '../n8n/node';
import { parametersOf } from '../n8n/parameters';
import type { Run } from '../requests/run';
import { hasGap, isFilled, textOfCell } from './cells';
import {
	type Columns,
	columnsOf,
	enteredSource,
	findEmails,
	findNames,
	quoted,
	type Source,
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
		throw toNodeError(context.getNode(), userError(joined(errors)), wrong.itemIndex);
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
	const columns = columnsOf(items);
	const groupBy = groupSource(context, columns);
	const sources = personSources(run, columns, groupBy?.columns);
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
function groupSource(context: IExecuteFunctions, columns: Columns): Source | undefined {
	if (parametersOf(context, 0).option(oneRequestForField) !== 'group') return undefined;
	const source = enteredSource(context, columns, groupByField);
	if (source === undefined) throw userError(NO_GROUP);
	if (columns.isUseful(source)) return source;
	const message = `Group By finds nothing in any item: they have ${columns.names}`;
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
function personSources({ context, hint }: Run, columns: Columns, groupColumns: string[] = []) {
	const admin = { read: valuesOf(context, adminField, 'additionalFields'), columns: [] };
	const fields = [nameColumn, emailColumn, phoneColumn];
	const [name, email, phoneNumber] = fields.map((field) => enteredSource(context, columns, field));
	for (const [index, source] of [name, email, phoneNumber, admin].entries()) {
		const { displayName } = fields[index] ?? adminField;
		if (source === undefined || columns.isUseful(source)) continue;
		hint(`${displayName} finds nothing in any item. They have ${columns.names}.`);
	}
	const names = name ? undefined : findNames(columns, nameColumn);
	const emails = email ? undefined : findEmails(columns, emailColumn);
	if (!name && !email && !phoneNumber && !emails) throw userError(noColumn(columns));
	const columnsOfAll = (sources: Array<Source | undefined>) =>
		sources.flatMap((source) => source?.columns ?? []);
	const byHeading = columnsOfAll([names, emails]);
	if (byHeading.some((heading) => !['name', 'email'].includes(heading))) {
		hint(`Columns found by their headings: ${inWords(byHeading.map(quoted))}.`, 'info');
	}
	const used = [...byHeading, ...groupColumns, ...columnsOfAll([email, phoneNumber])];
	const hasMore = columns.withValues.some((column) => !used.includes(column));
	if (!name && !names && hasMore) hint(noNames(columns));
	return Object.entries({
		name: name ?? names,
		email: email ?? emails,
		phoneNumber,
		isAdmin: admin,
	} satisfies Record<string, Source | undefined>);
}

const noNames = ({ names }: Columns) =>
	`No column with names was found, so none are sent. The input items have ${names}: drag one of them into Name.`;

const noColumn = ({ names }: Columns) => ({
	message: `No column with email addresses was found: the input items have ${names}`,
	description:
		'Nothing has been created. Drag the column into Email. If nobody has an email, drag the names into Name.',
});
