import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { inWords, isObject, isPresent, textOf, unified, visible } from '../basics/values';
import { userError } from '../n8n/errors';
import { inputFieldOf, isExpression, unevaluated, valuesOf } from '../n8n/expressions';
import type { Run } from '../requests/run';
import { LONGEST } from './contact';

/** What lists call their columns in seven languages, by what is in them: letters and digits only. */
const HEADINGS = {
	email: `email mail emailaddress mailaddress email1value primaryemail emailadresse mailadresse
		adresseemail adressemail adresseelectronique courriel mel correo correoelectronico
		direcciondecorreo direcciondecorreoelectronico indirizzoemail postaelettronica
		indirizzodipostaelettronica enderecodeemail correioeletronico emailadres mailadres`,
	name: `name fullname displayname anzeigename vollstandigername vorundnachname nom nomcomplet
		nometprenom prenometnom nombre nombrecompleto nombreyapellido nombreyapellidos nome nomecompleto
		nomeecognome nomeesobrenome nomeeapelido naam volledigenaam weergavenaam`,
	given: `first firstname given givenname forename vorname prenom nombredepila primernombre
		primeironome nomeproprio voornaam`,
	family: `last lastname family familyname surname nachname familienname zuname nomdefamille apellido
		apellidos cognome apelido sobrenome ultimonome achternaam familienaam`,
};

type Kind = keyof typeof HEADINGS;

const KINDS = new Map(
	Object.entries(HEADINGS).flatMap(([kind, words]) =>
		words.split(/\s+/).map((word) => [word, kind] as const),
	),
);

/** A heading as it is compared: without case, width and accents, and only letters and digits. */
export const headingKey = (heading: string): string =>
	heading
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');

/** Reads a field of a person for an input item. */
export type Reader = (itemIndex: number) => unknown;

/** A list of one is its entry: databases have one for what refers to another table. */
export const cellOf = (value: unknown): unknown =>
	Array.isArray(value) && value.length < 2 ? (value as unknown[])[0] : value;

/** Whether a cell has something in it. What is too long is refused later, whatever it is. */
export const isFilled = (value: unknown): boolean => {
	const text = String(cellOf(value) ?? '');
	return text.length > LONGEST || visible(text) !== '';
};

export const NOTHING_CREATED = 'Nothing has been created.';

export type Columns = ReturnType<typeof columnsOf>;

/** The columns of a list of input items. */
export function columnsOf(items: INodeExecutionData[]) {
	const filled = new Map<string, boolean>();
	for (const { json } of items) {
		for (const [name, value] of Object.entries(json)) {
			if (filled.get(name) !== true) filled.set(name, isFilled(value));
		}
	}
	const names = [...filled.keys()];
	/** The column for a field. One with nothing in it counts only if there is no other. */
	const oneOf = (candidates: string[], { displayName }: INodeProperties) => {
		const withValues = candidates.filter((name) => filled.get(name));
		if (withValues.length < 2) return withValues[0] ?? candidates[0];
		const quoted = inWords(withValues.map((name) => `"${visible(name)}"`));
		const message = `${displayName} could be in several columns: ${quoted}`;
		const description = `${NOTHING_CREATED} Drag one of them into ${displayName}.`;
		throw userError({ message, description });
	};
	return {
		/** For messages. */
		names: names.length > 0 ? inWords(names.map(visible)) : 'no fields',
		cells:
			(name: string): Reader =>
			(itemIndex) =>
				cellOf(items[itemIndex]?.json[name]),
		/** The column whose heading says that it holds this. */
		ofKind: (kind: Kind, field: INodeProperties) =>
			oneOf(
				names.filter((name) => KINDS.get(headingKey(name)) === kind),
				field,
			),
		/** The column of this name, or of one that only looks different. */
		named: (name: string, field: INodeProperties) =>
			filled.has(name)
				? name
				: oneOf(
						names.filter((other) => headingKey(other) === headingKey(name)),
						field,
					),
		/** Reads one level down, such as `school.class`, if an item has that. */
		inside(path: string): Reader | undefined {
			const [outer = '', inner = ''] = path.split('.');
			const cellIn = ({ json }: INodeExecutionData) => {
				const object = json[outer];
				return isObject(object) ? object[inner] : undefined;
			};
			const cell = (itemIndex: number) => cellOf(items.slice(itemIndex, itemIndex + 1).map(cellIn));
			return items.some((item) => isPresent(cellIn(item))) ? cell : undefined;
		},
	};
}

/** What somebody types who does not switch the field to an expression. */
const TYPED = /^\{\{\s*\$json\.([\w.]+)\s*\}\}$/;

/**
 * Reads what was entered in a field: the name of a column, or an expression. Undefined if nothing was.
 * Throws a UserError if there is no such column, or if several could be it.
 */
export function enteredReader(
	run: Run,
	columns: Columns,
	field: INodeProperties,
): Reader | undefined {
	const entered = unevaluated(run, field);
	if (entered === '') return undefined;
	const [, typed = entered] = TYPED.exec(entered) ?? [];
	const name = inputFieldOf(entered) ?? inputFieldOf(`=${entered}`) ?? typed;
	if (isExpression(name)) {
		const value = valuesOf(run, field);
		return (itemIndex) => cellOf(value(itemIndex));
	}
	const column = columns.named(name, field);
	const reader = column === undefined ? columns.inside(name) : columns.cells(column);
	if (reader !== undefined) return reader;
	if (isExpression(entered)) return () => undefined;
	const message = `No input item has a field "${name}": they have ${columns.names}`;
	const description = `${NOTHING_CREATED} Drag the field into ${field.displayName}, or correct its name.`;
	throw userError({ message, description });
}

/** Reads names from the columns that have one, and says which these are. */
export function findNames(columns: Columns, field: INodeProperties) {
	const kinds = (['name', 'given', 'family'] as const).map((kind) => columns.ofKind(kind, field));
	const readers = kinds.map((column) => (column === undefined ? () => '' : columns.cells(column)));
	const read: Reader = (itemIndex) => joinedName(readers.map((reader) => reader(itemIndex) ?? ''));
	return { read, from: kinds.filter((column) => column !== undefined) };
}

/** In many languages, the heading of family names, or of first names, is also that of whole names. */
function joinedName(cells: unknown[]): unknown {
	const unusable = cells.find((cell) => (textOf(cell)?.length ?? Infinity) > LONGEST);
	if (unusable !== undefined) return unusable;
	const [name = '', given = '', family = ''] = cells.map((cell) => visible(String(cell)));
	if (name === '') return `${given} ${family}`.trim();
	const other = given === '' || family === '' ? given || family : '';
	const words = wordsOf(name);
	if (wordsOf(other).every((word) => words.includes(word))) return name;
	return given === '' ? `${name} ${family}` : `${given} ${name}`;
}

const wordsOf = (text: string) =>
	unified(text)
		.toLowerCase()
		.split(/[^\p{L}\p{M}\p{N}]+/u)
		.filter((word) => word !== '');
