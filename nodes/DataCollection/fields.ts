import type { IDataObject, INode, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** Simplify, in Share > Get and in the trigger's Options. */
export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/**
 * A collection, and what lets the node see everything that was entered for it. If something else was,
 * such as one expression for the whole field, n8n makes an empty collection of it before the node runs.
 * Of a hidden field with the same name, it keeps what was entered.
 */
export const keptWhole = (field: INodeProperties): INodeProperties[] => {
	const { displayName, name, displayOptions } = field;
	return [field, { displayName, name, type: 'hidden', default: {}, displayOptions }];
};

/** The default number of seconds that a signed timestamp may differ from now. */
export const MAXIMUM_AGE = 300;

/** Options > Maximum Age. {@link readMaximumAge} reads it. */
export const maximumAgeOption: INodeProperties = {
	displayName: 'Maximum Age',
	name: 'maximumAge',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 300,
	description:
		'How many seconds the signed timestamp may differ from the current time, in either direction. Other notifications are refused. 0 turns the check off.',
};

/** Maximum Age in seconds, of the field Options. */
export const readMaximumAge = (item: Item, options: IDataObject, itemIndex?: number): number =>
	numberIn(item, itemIndex, maximumAgeOption, optionOf(options, maximumAgeOption));

/** An option's value, or its default if it was not added. n8n keeps the name of one that was. */
export const optionOf = (options: IDataObject, field: INodeProperties): unknown =>
	field.name in options ? options[field.name] : field.default;

/** Whose field it is. A trigger has no input items, so it gives no item index. */
interface Item {
	context: { getNode: () => INode };
}

/** An error about what the user entered: names the item and says what happened and what to do. */
export function inputError(
	{ context }: Item,
	itemIndex: number | undefined,
	message: string,
	description: string,
): NodeOperationError {
	const error = new NodeOperationError(context.getNode(), message, { itemIndex, description });
	// n8n replaces a message that contains an error code's name, and quoted input may contain one.
	error.message = message;
	return error;
}

/**
 * A field's value. Refuses undefined and null: an expression that finds nothing does not mean that the
 * field is not set. An empty text does, if the field is optional.
 */
export function foundIn(
	item: Item,
	itemIndex: number | undefined,
	label: string,
	value: unknown,
): NonNullable<unknown> {
	if (value !== undefined && value !== null) return value;
	const advice =
		'Check the expression: it finds nothing. If the field may be left out, remove it, or let the expression return an empty text.';
	throw inputError(item, itemIndex, `${label} is empty`, advice);
}

/** Whether a switch is on. */
export function flagIn(
	item: Item,
	itemIndex: number | undefined,
	{ displayName }: INodeProperties,
	value: unknown,
): boolean {
	const given = foundIn(item, itemIndex, displayName, value);
	if (typeof given === 'boolean') return given;
	const advice = 'Switch it on or off, or use an expression that returns true or false.';
	throw inputError(item, itemIndex, `${displayName} is not true or false`, advice);
}

/** The value of a field with choices. Refuses any other value that an expression may give. */
export function choiceIn(
	item: Item,
	itemIndex: number | undefined,
	{ displayName, options }: INodeProperties,
	value: unknown,
): string {
	const choices = options as INodePropertyOptions[];
	if (choices.some((choice) => choice.value === value)) return String(value);
	const given = JSON.stringify(value) ?? 'undefined';
	const message = `${displayName} is not one of its choices: ${given.slice(0, 50)}`;
	const known = choices.map((choice) => `${choice.value} (${choice.name})`).join(', ');
	const advice = `Select one of them, or use an expression that returns one of: ${known}.`;
	throw inputError(item, itemIndex, message, advice);
}

/** The number in a field, as the field's own `typeOptions` allow it. */
export function numberIn(
	item: Item,
	itemIndex: number | undefined,
	{ displayName, typeOptions = {}, default: example }: INodeProperties,
	value: unknown,
): number {
	const { minValue = -Infinity, maxValue = Infinity, numberPrecision } = typeOptions;
	const isWhole = numberPrecision === 0;
	const given = foundIn(item, itemIndex, displayName, value);
	const number = parseNumber(given) ?? NaN;
	const isPrecise = !isWhole || Number.isSafeInteger(number);
	if (number >= minValue && number <= maxValue && isPrecise) return number;
	const range = maxValue < Infinity ? `from ${minValue} to ${maxValue}` : `of ${minValue} or more`;
	const kind = `a ${isWhole ? 'whole ' : ''}number ${range}`;
	const shown = typeof given === 'object' ? JSON.stringify(given) : String(given);
	const message = `${displayName} is not ${kind}: ${shown.slice(0, 50)}`;
	const advice = `Enter ${kind}, e.g. ${String(example)}, or remove the field.`;
	throw inputError(item, itemIndex, message, advice);
}

/** The entries in a list field, at least one. `parse` is {@link parseList} or {@link parseWords}. */
export function listIn(
	item: Item,
	itemIndex: number | undefined,
	value: unknown,
	parse: typeof parseList,
	field: { label: string; whenEmpty: string; advice: string },
): string[] {
	const list = parse(value);
	if (list !== undefined && list.length > 0) return list;
	const what = list === undefined ? 'is not a list of texts' : field.whenEmpty;
	throw inputError(item, itemIndex, `${field.label} ${what}`, field.advice);
}

/** Whether a value has fields. A list has none. */
export const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The number in a field. An expression may also give it as text. Undefined if it is no number. */
export function parseNumber(value: unknown): number | undefined {
	const given = typeof value === 'string' ? Number(value.trim() || NaN) : value;
	return typeof given === 'number' && Number.isFinite(given) ? given : undefined;
}

/**
 * The non-empty entries of a list field, trimmed. Numbers become text. An expression may also give
 * a single entry, or the list as JSON. Undefined if an entry is neither text nor a number.
 */
export function parseList(value: unknown): string[] | undefined {
	// An entry that somebody has added and left empty is an empty list in what the editor saves.
	const entries: unknown[] =
		typeof value === 'string' ? (parseJsonList(value) ?? [value]) : [value].flat(2);
	const given = entries.filter((entry) => entry !== undefined && entry !== null);
	const texts = given.map((entry) => (parseNumber(entry) === undefined ? entry : String(entry)));
	if (!texts.every((text) => typeof text === 'string')) return undefined;
	return texts.map((text) => text.trim()).filter((text) => text !== '');
}

/** The same for entries that contain no commas, such as statuses and IDs: each may be several. */
export function parseWords(value: unknown): string[] | undefined {
	const entries = parseList(value);
	return entries && parseList(entries.flatMap((entry) => entry.split(/["[\],]/)));
}

function parseJsonList(text: string): unknown[] | undefined {
	try {
		const parsed: unknown = JSON.parse(text);
		return Array.isArray(parsed) ? parsed : undefined;
	} catch {
		return undefined;
	}
}
