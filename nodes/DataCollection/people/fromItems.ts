import type { IDataObject } from 'n8n-workflow';

import { yieldEvery } from '../basics/concurrency';
import { errorsOf, joined } from '../basics/result';
import { inWords } from '../basics/values';
import { toNodeError, userError } from '../n8n/errors';
import { valuesOf } from '../n8n/expressions';
import { refuseExecuteOnce } from '../n8n/graph';
import { parametersOf } from '../n8n/parameters';
import type { Run } from '../requests/run';
import { type Columns, columnsOf, enteredReader, findNames, isFilled } from './columns';
import { type Draft, isBlank, readEntry, textOfCell } from './entry';
import {
	adminField,
	emailColumn,
	groupByField,
	nameColumn,
	oneRequestForField,
	phoneColumn,
} from './fields';
import { byGroup, byPerson, hintAboutNobody, type Row } from './groups';

/**
 * The people of the input items, by collection request, in the order of their first items. Leaves out
 * items with nobody in them, which a hint names. Throws an error that says which items are wrong, the
 * first one also for n8n, unless the node continues on failures.
 */
export async function readFromItems(run: Run): Promise<Draft[]> {
	const { context } = run;
	refuseExecuteOnce(run);
	const rows = await readRows(run);
	const people = rows.filter(({ entry }) => !isBlank(entry));
	const wrong = people.find(({ entry }) => !entry.ok)?.entry;
	if (wrong !== undefined && !context.continueOnFail()) {
		const errors = errorsOf(people.map(({ entry }) => entry));
		throw toNodeError(context.getNode(), userError(joined(errors)), wrong.itemIndex);
	}
	if (people.length === 0) throw userError(NOBODY);
	hintAboutNobody(rows, run.hint);
	const isPerPerson = parametersOf(context, 0).option(oneRequestForField) === 'person';
	return isPerPerson ? byPerson(people) : byGroup(people, run.hint);
}

const NOBODY = {
	message: 'No input item has a name, an email or a phone number',
	description: 'Check the columns or expressions in Name, Email and Phone Number.',
};

async function readRows(run: Run): Promise<Row[]> {
	const { context, hint } = run;
	const items = context.getInputData();
	const columns = columnsOf(items);
	const oneRequestFor = parametersOf(context, 0).option(oneRequestForField);
	const isGrouped = oneRequestFor === 'group';
	const groupOf = isGrouped ? enteredReader(run, columns, groupByField) : undefined;
	if (isGrouped && groupOf === undefined) throw userError(NO_GROUP);
	const personOf = personReader(run, columns);
	const rows: Row[] = [];
	for (const itemIndex of items.keys()) {
		const label = `Item ${itemIndex + 1}`;
		let group = isGrouped ? undefined : '';
		const entry = readEntry({ label, itemIndex, hint }, () => {
			const { isAdmin, ...person } = personOf(itemIndex);
			const isEmpty = !Object.values(person).some(isFilled);
			const cell = groupOf?.(itemIndex);
			if (isGrouped && (!isEmpty || isFilled(cell))) group = groupIn(cell, label);
			return isEmpty ? {} : { ...person, isAdmin };
		});
		rows.push({ entry, group });
		await yieldEvery(100, itemIndex);
	}
	return rows;
}

const NO_GROUP = {
	message: 'Group By is empty',
	description: 'Drag the column that separates the groups into Group By, or enter its name.',
};

/** The value of Group By. An empty one would put people together who have nothing in common. */
function groupIn(cell: unknown, label: string): string {
	const what = `Group By of ${label.toLowerCase()}`;
	const group = textOfCell(typeof cell === 'boolean' ? String(cell) : cell, what);
	if (group !== '') return group;
	throw userError({ message: `${what} is empty`, description: 'Check what this item has there.' });
}

/** Reads what an input item says about a person. Hints say in which columns, and what finds nothing. */
function personReader(run: Run, columns: Columns): (itemIndex: number) => IDataObject {
	const items = run.context.getInputData();
	const entered = [nameColumn, emailColumn, phoneColumn].map((field) => {
		const reader = enteredReader(run, columns, field);
		const isUseless = reader && !items.some((_, itemIndex) => isFilled(reader(itemIndex)));
		if (isUseless) {
			run.hint(`${field.displayName} finds nothing in any item. They have ${columns.names}.`);
		}
		return reader;
	});
	const [name, email, phoneNumber] = entered;
	const names = name ? undefined : findNames(columns, nameColumn);
	const column = email ? undefined : columns.ofKind('email', emailColumn);
	if (!email && column === undefined && !name && !phoneNumber) throw userError(noColumn(columns));
	const taken = [...(names?.from ?? []), ...(column === undefined ? [] : [column])];
	if (taken.some((heading) => !['name', 'email'].includes(heading))) {
		run.hint(`The people are in the columns ${inWords(taken.map((each) => `"${each.trim()}"`))}.`);
	}
	const readers = {
		name: name ?? names?.read,
		email: email ?? (column === undefined ? undefined : columns.cells(column)),
		phoneNumber,
		isAdmin: valuesOf(run, adminField, 'additionalFields'),
	};
	return (itemIndex) =>
		Object.fromEntries(
			Object.entries(readers).map(([field, read]) => [field, read?.(itemIndex)]),
		) as IDataObject;
}

const noColumn = (columns: Columns) => ({
	message: `No column with email addresses was found: the input items have ${columns.names}`,
	description:
		'Nothing has been created. Drag the column into Email. If nobody has an email, drag the names into Name.',
});
