import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	UserError,
} from 'n8n-workflow';

import { inWords, visible } from '../basics/text';
import { isObject, isPresent, textOf } from '../basics/values';
import { userError } from '../n8n/errors';
import { inputFieldOf, isExpression, unevaluated, valuesOf } from '../n8n/expressions';
import { cellOf, isFilled, LONGEST_CELL, displayed } from './cells';
import { parseEmail } from './contact';
import { headingKey, joinedName, type Kind, headingKindOf } from './headings';

type CellReader = (itemIndex: number) => unknown;

/** What reads a field of a person, and from which columns. An expression may read any. */
export interface Source {
	read: CellReader;
	columns: string[];
}

/** The rows of the input items, and for each column whether a row has something there. */
export interface Table {
	rows: IDataObject[];
	filled: Map<string, boolean>;
}

/** Where Airtable, HubSpot and webhooks have what a sheet has in its columns. */
const ONE_LEVEL_DOWN = ['fields', 'properties', 'body'];

function rowOf({ json }: INodeExecutionData): IDataObject {
	const inner = ONE_LEVEL_DOWN.map((name) => json[name]).find(isObject);
	return inner === undefined ? json : { ...inner, ...json };
}

export function tableOf(items: INodeExecutionData[]): Table {
	const rows = items.map(rowOf);
	const filled = new Map<string, boolean>();
	for (const row of rows) {
		for (const [name, value] of Object.entries(row)) {
			if (filled.get(name) !== true) filled.set(name, isFilled(value));
		}
	}
	return { rows, filled };
}

/** The columns in which a row has something. */
export const filledColumns = ({ filled }: Table): string[] =>
	[...filled].flatMap(([name, isUsed]) => (isUsed ? [name] : []));

/** The names of all columns, for messages. */
export const namesIn = ({ filled }: Table): string =>
	filled.size > 0 ? inWords([...filled.keys()].map(visible)) : 'no fields';

/** Whether it finds something in a row. An expression that fails is told of with its item. */
export const isUseful = ({ rows }: Table, { read }: Source): boolean =>
	rows.some((_, itemIndex) => {
		try {
			return isFilled(read(itemIndex));
		} catch {
			return true;
		}
	});

const readerOf =
	({ rows }: Table, ...path: string[]): CellReader =>
	(itemIndex) => {
		const row: unknown = rows[itemIndex];
		return cellOf(path.reduce((value, key) => (isObject(value) ? value[key] : undefined), row));
	};

const NOTHING_CREATED = 'Nothing has been created.';

/** A field could be in several columns, or is in a column with another heading. */
function choiceOf(columns: string[], { displayName }: INodeProperties): UserError {
	const message = `${displayName} could be in ${inWords(columns.map(quoted))}`;
	const description = `${NOTHING_CREATED} Drag the right column into ${displayName}.`;
	return userError({ message, description });
}

export const quoted = (column: string): string => `"${visible(column)}"`;

/** The column that is meant. An empty column counts only if no other is meant. */
function columnIn(
	table: Table,
	field: INodeProperties,
	isMeant: (name: string) => boolean,
): Source | undefined {
	const meant = [...table.filled.keys()].filter(isMeant);
	const filled = meant.filter((name) => table.filled.get(name));
	const [column, ...others] = filled.length > 0 ? filled : meant.slice(0, 1);
	if (column === undefined) return undefined;
	if (others.length > 0) throw choiceOf([column, ...others], field);
	return { read: readerOf(table, column), columns: [column] };
}

const columnOfKind = (table: Table, kind: Kind, field: INodeProperties) =>
	columnIn(table, field, (name) => headingKindOf(name) === kind);

/** The column of this name, or of a name that only looks different, or a field inside of objects. */
function columnNamed(table: Table, name: string, field: INodeProperties): Source | undefined {
	const isNamed = (column: string) =>
		table.filled.has(name) ? column === name : headingKey(column) === headingKey(name);
	const column = columnIn(table, field, isNamed);
	if (column !== undefined) return column;
	const read = readerOf(table, ...name.split('.'));
	const isInside = table.rows.some((_, itemIndex) => isPresent(read(itemIndex)));
	return isInside ? { read, columns: [] } : undefined;
}

/** An expression that takes a field inside of objects, or what it is without the equals sign. */
const PATH = /^\{\{\s*\$json\.([\w.]+)\s*\}\}$/;

/**
 * What was entered in a field: the name of a column, or an expression. Undefined if nothing was.
 * Throws a UserError if there is no such column, or if several could be it.
 */
export function enteredSource(
	context: IExecuteFunctions,
	table: Table,
	field: INodeProperties,
): Source | undefined {
	const entered = unevaluated(context, field);
	if (entered === '') return undefined;
	const text = entered.replace(/^=/, '');
	const [, path = entered] = PATH.exec(text) ?? [];
	const name = inputFieldOf(`=${text}`) ?? path;
	if (isExpression(name)) {
		const value = valuesOf(context, field);
		return { read: (itemIndex) => cellOf(value(itemIndex)), columns: [] };
	}
	const source = columnNamed(table, name, field);
	if (source !== undefined) return source;
	if (isExpression(entered)) return { read: () => undefined, columns: [] };
	const message = `No input item has a field "${name}": they have ${namesIn(table)}`;
	const description = `${NOTHING_CREATED} Drag the field into ${field.displayName}, or correct its name.`;
	throw userError({ message, description });
}

/** The column of email addresses, by its heading. Throws a UserError if only another has addresses. */
export function findEmails(table: Table, field: INodeProperties): Source | undefined {
	const source = columnOfKind(table, 'email', field);
	if (source !== undefined && isUseful(table, source)) return source;
	const others = filledColumns(table).filter((name) => hasAddresses(table, name));
	if (others.length > 0) throw choiceOf(others, field);
	return source;
}

const hasAddresses = (table: Table, column: string): boolean =>
	table.rows.some((_, itemIndex) => {
		const text = textOf(readerOf(table, column)(itemIndex)) ?? '';
		return text.includes('@') && parseEmail(text).ok;
	});

/** The columns whose headings say that they hold names, or parts of names; they are read as one name. */
export function findNames(table: Table, field: INodeProperties): Source | undefined {
	const kinds = ['name', 'given', 'middle', 'family'] as const;
	const sources = kinds.map((kind) => columnOfKind(table, kind, field));
	const read: CellReader = (itemIndex) => {
		const cells = sources.map((source) => source?.read(itemIndex) ?? '');
		const unusable = cells.find((cell) => (textOf(cell)?.length ?? Infinity) > LONGEST_CELL);
		return unusable ?? joinedName(cells.map((cell) => displayed(String(cell))));
	};
	const columns = sources.flatMap((source) => source?.columns ?? []);
	return columns.length > 0 ? { read, columns } : undefined;
}
