import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	UserError,
} from 'n8n-workflow';

import { inWords, isObject, isPresent, textOf, visible } from '../basics/values';
import { userError } from '../n8n/errors';
import { inputFieldOf, isExpression, unevaluated, valuesOf } from '../n8n/expressions';
import { cellOf, isFilled, LONGEST, seenIn } from './cells';
import { parseEmail } from './contact';
import { headingKey, joinedName, type Kind, kindOf } from './headings';

type Reader = (itemIndex: number) => unknown;

/** What reads a field of a person, and from which columns. An expression may read any. */
export interface Source {
	read: Reader;
	columns: string[];
}

const NOTHING_CREATED = 'Nothing has been created.';

/** A field could be in several columns, or is in a column with another heading. */
function choiceOf(columns: string[], { displayName }: INodeProperties): UserError {
	const message = `${displayName} could be in ${inWords(columns.map(quoted))}`;
	const description = `${NOTHING_CREATED} Drag the right column into ${displayName}.`;
	return userError({ message, description });
}

export const quoted = (column: string): string => `"${visible(column)}"`;

export type Columns = ReturnType<typeof columnsOf>;

/** Where Airtable, HubSpot and webhooks have what a sheet has in its columns. */
const ONE_LEVEL_DOWN = ['fields', 'properties', 'body'];

function rowOf({ json }: INodeExecutionData): IDataObject {
	const inner = ONE_LEVEL_DOWN.map((name) => json[name]).find(isObject);
	return inner === undefined ? json : { ...inner, ...json };
}

/** The columns of a list of input items. */
export function columnsOf(items: INodeExecutionData[]) {
	const rows = items.map(rowOf);
	const filled = new Map<string, boolean>();
	for (const row of rows) {
		for (const [name, value] of Object.entries(row)) {
			if (filled.get(name) !== true) filled.set(name, isFilled(value));
		}
	}
	const names = [...filled.keys()];
	const withValues = names.filter((name) => filled.get(name));
	const readerOf =
		(...path: string[]): Reader =>
		(itemIndex) => {
			const row: unknown = rows[itemIndex];
			return cellOf(path.reduce((value, key) => (isObject(value) ? value[key] : undefined), row));
		};
	const hasSome = (reader: Reader, isWanted: (cell: unknown) => boolean) =>
		rows.some((_, itemIndex) => isWanted(reader(itemIndex)));
	/** The column that is meant. An empty column counts only if no other is meant. */
	const oneOf = (
		field: INodeProperties,
		isMeant: (name: string) => boolean,
	): Source | undefined => {
		const meant = names.filter(isMeant);
		const [column = meant[0], ...others] = meant.filter((name) => filled.get(name));
		if (column === undefined) return undefined;
		if (others.length > 0) throw choiceOf([column, ...others], field);
		return { read: readerOf(column), columns: [column] };
	};
	return {
		names: names.length > 0 ? inWords(names.map(visible)) : 'no fields',
		withValues,
		/** Whether it finds something in an item. An expression that fails is told of with its item. */
		isUseful: ({ read }: Source) =>
			rows.some((_, itemIndex) => {
				try {
					return isFilled(read(itemIndex));
				} catch {
					return true;
				}
			}),
		/** The column whose heading says that it holds this. */
		ofKind: (kind: Kind, field: INodeProperties) => oneOf(field, (name) => kindOf(name) === kind),
		/** The column of this name, or of a name that only looks different. */
		named: (given: string, field: INodeProperties) =>
			oneOf(field, (name) =>
				filled.has(given) ? name === given : headingKey(name) === headingKey(given),
			),
		/** What is inside of objects, such as `school.class`, if an item has that. */
		inside(path: string): Source | undefined {
			const read = readerOf(...path.split('.'));
			return hasSome(read, isPresent) ? { read, columns: [] } : undefined;
		},
		/** The columns with email addresses, whatever they are called. */
		withAddresses: () => withValues.filter((name) => hasSome(readerOf(name), isAddress)),
	};
}

function isAddress(cell: unknown): boolean {
	const text = textOf(cell) ?? '';
	return text.includes('@') && parseEmail(text).ok;
}

/** An expression that takes a field inside of objects, or what it is without the equals sign. */
const PATH = /^\{\{\s*\$json\.([\w.]+)\s*\}\}$/;

/**
 * What was entered in a field: the name of a column, or an expression. Undefined if nothing was.
 * Throws a UserError if there is no such column, or if several could be it.
 */
export function enteredSource(
	context: IExecuteFunctions,
	columns: Columns,
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
	const source = columns.named(name, field) ?? columns.inside(name);
	if (source !== undefined) return source;
	if (isExpression(entered)) return { read: () => undefined, columns: [] };
	const message = `No input item has a field "${name}": they have ${columns.names}`;
	const description = `${NOTHING_CREATED} Drag the field into ${field.displayName}, or correct its name.`;
	throw userError({ message, description });
}

/**
 * The column whose heading says that it holds email addresses. Throws a UserError if there is none, or
 * if it is empty, and another column has addresses.
 */
export function findEmails(columns: Columns, field: INodeProperties): Source | undefined {
	const source = columns.ofKind('email', field);
	if (source !== undefined && columns.isUseful(source)) return source;
	const others = columns.withAddresses();
	if (others.length > 0) throw choiceOf(others, field);
	return source;
}

/** The columns whose headings say that they hold names, or parts of names; they are read as one name. */
export function findNames(columns: Columns, field: INodeProperties): Source | undefined {
	const kinds = ['name', 'given', 'middle', 'family'] as const;
	const sources = kinds.map((kind) => columns.ofKind(kind, field));
	const read: Reader = (itemIndex) => {
		const cells = sources.map((source) => source?.read(itemIndex) ?? '');
		const unusable = cells.find((cell) => (textOf(cell)?.length ?? Infinity) > LONGEST);
		return unusable ?? joinedName(cells.map((cell) => seenIn(String(cell))));
	};
	const named = sources.flatMap((source) => source?.columns ?? []);
	return named.length > 0 ? { read, columns: named } : undefined;
}
