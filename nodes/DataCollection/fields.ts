import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';
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

/** Options > Maximum Age. {@link maximumAgeOf} reads it. */
export const maximumAgeOption: INodeProperties = {
	displayName: 'Maximum Age',
	name: 'maximumAge',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 300,
	description:
		'How many seconds the signed timestamp may differ from the current time, in either direction. Other notifications are refused. 0 turns the check off.',
};

/** Maximum Age in seconds. Throws a NodeOperationError for anything but a number of 0 or more. */
export function readMaximumAge(
	{ maximumAge = MAXIMUM_AGE }: IDataObject,
	context: { getNode: () => INode },
	itemIndex?: number,
): number {
	const age = checkNumber(maximumAgeOption, maximumAge);
	if (age.ok) return age.number;
	const { message, description } = age;
	throw new NodeOperationError(context.getNode(), message, { description, itemIndex });
}

/** The number in a field as its own `typeOptions` allow it, or what to tell the person. */
export function checkNumber(
	field: INodeProperties,
	value: unknown,
): { ok: true; number: number } | { ok: false; message: string; description: string } {
	const { minValue = -Infinity, maxValue = Infinity, numberPrecision } = field.typeOptions ?? {};
	const isWhole = numberPrecision === 0;
	const number = parseNumber(value) ?? NaN;
	const isPrecise = !isWhole || Number.isSafeInteger(number);
	if (number >= minValue && number <= maxValue && isPrecise) return { ok: true, number };
	const range = maxValue < Infinity ? `from ${minValue} to ${maxValue}` : `of ${minValue} or more`;
	const kind = `a ${isWhole ? 'whole ' : ''}number ${range}`;
	const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
	const message = `${field.displayName} is not ${kind}: ${shown.slice(0, 50)}`;
	const description = `Enter ${kind}, e.g. ${String(field.default)}, or remove the field.`;
	return { ok: false, message, description };
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
