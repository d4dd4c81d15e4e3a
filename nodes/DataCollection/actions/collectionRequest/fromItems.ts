import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { yieldEvery } from '../../basics/concurrency';
import { errorsOf } from '../../basics/result';
import { isObject, shown, textOf, visible } from '../../basics/values';
import { toNodeError, userError } from '../../n8n/errors';
import { inputFieldIn, refuseExecuteOnce, unevaluated } from '../../n8n/graph';
import { type Parameters, parametersOf } from '../../n8n/parameters';
import type { Run } from '../../requests/run';
import {
	type Entry,
	type Invited,
	invitedPeople,
	personFields,
	readEntry,
	severalErrors,
} from './personEntries';
import { isFromItems } from './participants';
import { hintAlikeGroups } from './peopleHints';

const displayOptions = { show: { participantsMode: ['items'] } };

/** The parameter for a field of a person: `personEmail` for `email`. */
const parameterOf = (name: string) => `person${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const personParameters = personFields.map((field): INodeProperties => ({
	...field,
	name: parameterOf(field.name),
	default: field.type === 'boolean' ? field.default : `={{ $json.${field.name} }}`,
	displayOptions,
}));

const groupByField: INodeProperties = {
	displayName: 'Group By',
	name: 'groupBy',
	type: 'string',
	default: '',
	placeholder: 'e.g. class',
	description:
		'The field of the input item that separates the groups: each different value makes one collection request. Drag it here, or enter its name. If empty, all input items are the people of one collection request.',
	displayOptions,
};

/** The fields of From Input Items, in the order in which the editor shows them. */
export const fromItemsFields: INodeProperties[] = [...personParameters, groupByField];

/** An input item that is one person. */
type Row = Entry & {
	itemIndex: number;
	/** The value of Group By. */
	group?: string;
	/** What else was entered, by the labels of the fields. */
	others: Map<string, string>;
};

/** The input items that make one collection request. */
export interface Group {
	/** The index of the first one. */
	itemIndex: number;
	/** The people, if each item is one. Without rows, the only item of the group says who is invited. */
	rows?: Row[];
	/** The value of Group By, if it is set. */
	name?: string;
}

/**
 * The input items by collection request, in the order of their first items. `fields` are those that
 * have to be the same for all items of a group. Throws an error that names the items that are
 * wrong, the first one also for n8n, unless the node continues on failures.
 */
export async function groupsOf(run: Run, fields: INodeProperties[]): Promise<Group[]> {
	const { context } = run;
	const items = context.getInputData();
	const first = parametersOf(context, 0);
	if (!isFromItems(first)) return items.map((_, itemIndex) => ({ itemIndex }));
	refuseExecuteOnce(run);
	const readRow = rowReader(run, fields);
	const rows: Row[] = [];
	for (const itemIndex of items.keys()) {
		rows.push(readRow(itemIndex));
		await yieldEvery(25, itemIndex);
	}
	const wrong = rows.find(({ ok }) => !ok);
	if (wrong !== undefined && !context.continueOnFail()) {
		const error = userError(severalErrors(errorsOf(rows)));
		throw toNodeError(context.getNode(), error, wrong.itemIndex);
	}
	return inGroups(run, rows);
}

/** Reads an item's row, in which `fields` are the others. */
function rowReader(run: Run, fields: INodeProperties[]): (itemIndex: number) => Row {
	const { context } = run;
	const groupBy = unevaluated(run, groupByField);
	const inputFields = new Map(
		[groupByField, ...personParameters].map((field) => [field, inputFieldIn(run, field)]),
	);
	// A text that is no expression would put all items into one group. It is the name of a field.
	if (!groupBy.startsWith('=')) inputFields.set(groupByField, groupBy);
	return (itemIndex) => {
		const label = `Item ${itemIndex + 1}`;
		const parameters = parametersOf(context, itemIndex);
		const json = context.getInputData()[itemIndex]?.json;
		const valueOf = (field: INodeProperties) => {
			const inputField = inputFields.get(field);
			return inputField === undefined ? parameters.value(field) : json?.[inputField];
		};
		let group: string | undefined;
		let others = new Map<string, string>();
		const entry = readEntry(label, () => {
			group = groupBy === '' ? '' : groupIn(valueOf(groupByField), label);
			others = new Map(fields.flatMap((field) => valuesOf(parameters, field)));
			return Object.fromEntries(
				personParameters.map((field, index) => [personFields[index]?.name, valueOf(field)]),
			) as IDataObject;
		});
		return { ...entry, itemIndex, group, others };
	};
}

/** The value of Group By. An empty one would put people together who have nothing in common. */
function groupIn(value: unknown, label: string): string {
	const text = typeof value === 'boolean' ? String(value) : textOf(value ?? '');
	if (text !== undefined && visible(text) !== '') return visible(text);
	const what = text === undefined ? 'is not text' : 'is empty';
	const description =
		'Drag a field of the input into Group By, or enter its name. Then check what this item has there.';
	throw userError({ message: `Group By of ${label.toLowerCase()} ${what}`, description });
}

/** What was entered in a field, or in the fields of a collection, as text. */
function valuesOf(parameters: Parameters, field: INodeProperties): Array<[string, string]> {
	const value = parameters.value(field);
	if (field.type !== 'collection' || !isObject(value)) return [[field.displayName, asText(value)]];
	const options = field.options as INodeProperties[];
	return options.map(({ displayName, name }) => [displayName, asText(value[name])]);
}

const asText = (value: unknown) =>
	typeof value === 'string' ? visible(value) : (JSON.stringify(value) ?? '');

/** The rows with the same value of Group By. One whose value is not known is alone. */
function inGroups({ hint }: Run, rows: Row[]): Group[] {
	const groups = new Map<unknown, Group & { rows: Row[] }>();
	for (const row of rows) {
		const { itemIndex, group = itemIndex } = row;
		const known = groups.get(group);
		if (known === undefined) groups.set(group, { itemIndex, rows: [row], name: row.group });
		else known.rows.push(row);
	}
	hintAlikeGroups(hint, [...groups.keys()].map(String));
	return [...groups.values()];
}

const ALL_EMPTY = {
	message: 'No input item has a name, an email or a phone number',
	description: 'Check the expressions in Name, Email and Phone Number.',
};

/**
 * The people of a group, each once. Throws a UserError that says which items are wrong, that all of
 * them are empty, or what is not the same for all of them.
 */
export function peopleIn(run: Run, rows: Row[]): Invited {
	const invited = invitedPeople(run.hint, rows, ALL_EMPTY);
	const [first, ...more] = rows;
	for (const [label, value] of first?.others ?? []) {
		const odd = more.find(({ others }) => others.get(label) !== value);
		if (first === undefined || odd === undefined) continue;
		const group = first.group ? ` of the group "${first.group}"` : '';
		const values = [first, odd].map(
			({ itemIndex, others }) => `item ${itemIndex + 1} has ${shown(others.get(label) ?? '')}`,
		);
		const message = `${label} is not the same for all items${group}: ${values.join(', ')}`;
		const description =
			'Nothing has been created for these items. Enter the same value for all of them, or put items with different values into different groups with Group By.';
		throw userError({ message, description });
	}
	for (const row of rows) {
		if (!row.ok || Object.keys(row.value).length > 0) continue;
		const reason = 'its name, email and phone number are empty';
		run.hint('Nobody is invited', { itemIndex: row.itemIndex, reason });
	}
	return invited;
}
