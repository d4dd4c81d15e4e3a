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
export const readMaximumAge = (
	item: Item,
	{ maximumAge = MAXIMUM_AGE }: IDataObject,
	itemIndex?: number,
): number => numberIn(item, itemIndex, maximumAgeOption, maximumAge);

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
	const number = parseNumber(value) ?? NaN;
	const isPrecise = !isWhole || Number.isSafeInteger(number);
	if (number >= minValue && number <= maxValue && isPrecise) return number;
	const range = maxValue < Infinity ? `from ${minValue} to ${maxValue}` : `of ${minValue} or more`;
	const kind = `a ${isWhole ? 'whole ' : ''}number ${range}`;
	const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
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
	const entries: unknown[] =
		typeof value === 'string' ? (parseJsonList(value) ?? [value]) : [value].flat();
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
