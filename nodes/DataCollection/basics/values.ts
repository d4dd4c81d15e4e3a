import type { IDataObject } from 'n8n-workflow';

/** Numbers become text. Undefined for anything else. */
export const textOf = (value: unknown): string | undefined =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

export const isPresent = <T>(value: T): value is NonNullable<T> =>
	value !== undefined && value !== null;

/** A list has no fields. */
export const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** An expression may also give the number as text. Undefined for anything else. */
export function parseNumber(value: unknown): number | undefined {
	const number = typeof value === 'string' ? Number(value.trim() || NaN) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Trimmed, without empty ones. Numbers become text. Undefined if an entry is neither. */
export function parseList(value: unknown): string[] | undefined {
	// An entry that was added and left empty is an empty list in what the editor saves.
	const entries: unknown[] = [value].flat(2);
	const present = entries.filter(isPresent);
	const texts = present.map((entry) => (parseNumber(entry) === undefined ? entry : String(entry)));
	if (!texts.every((text) => typeof text === 'string')) return undefined;
	return texts.map((text) => text.trim()).filter((text) => text !== '');
}

/** For entries without commas, such as statuses and IDs: each may be several. */
export function parseWords(value: unknown): string[] | undefined {
	const entries = parseList(value);
	return entries && parseList(entries.flatMap((entry) => entry.split(/["[\],]/)));
}
