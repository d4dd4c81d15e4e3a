import type { GenericValue, IDataObject } from 'n8n-workflow';

/** Shorter secrets look like ordinary words and numbers. */
const SHORTEST_RECOGNISABLE_SECRET = 8;

const HIDDEN = '(hidden)';

/** Fields named after parts of the credential: the webhook secret and the two headers. */
const CREDENTIAL_FIELDS = ['webhooksecret', 'authorization', 'tokenid'];

/** Whether every object inherits this name, so that using it as a key could change the object. */
export const isInheritedName = (name: string): boolean =>
	name === 'prototype' || name in Object.prototype;

const isCredentialField = (name: string) => CREDENTIAL_FIELDS.includes(name.toLowerCase());

/**
 * Removes from JSON, at every depth, the keys that every object inherits (`__proto__`,
 * `constructor`, `toString`, ...) and the fields named after a part of the credential. Changes the
 * value itself, so it must be one that was just parsed. Throws a RangeError if the stack overflows.
 */
export function removeHarmfulFields<T>(json: T): T {
	if (typeof json !== 'object' || json === null) return json;
	if (Array.isArray(json)) {
		for (const entry of json) removeHarmfulFields(entry);
		return json;
	}
	const fields = json as Record<string, unknown>;
	for (const name of Object.keys(fields)) {
		if (isInheritedName(name) || isCredentialField(name)) delete fields[name];
		else removeHarmfulFields(fields[name]);
	}
	return json;
}

/**
 * Renames a field `error` that the service sends. n8n's Retry On Fail takes that field in the first
 * item for a failure, and would repeat a create that succeeded.
 */
export function withoutErrorField({ error, ...fields }: IDataObject): IDataObject {
	return error === undefined ? fields : { ...fields, serviceError: error };
}

/** Replaces repeated parts of the credential with `(hidden)` in whatever is put out. */
export interface Sanitizer {
	/** Hides each secret of 8 or more characters, as it is and in the forms of {@link patternsOf}. */
	text(text: string): string;
	/** A copy of an item in which secrets are hidden in texts, names and numbers. */
	item(item: IDataObject): IDataObject;
}

/** Creates a sanitizer for these secrets, in any order and number. */
export function createSanitizer(secrets: readonly string[]): Sanitizer {
	// The longest first: hiding a shorter one at its beginning would leave the rest of it readable.
	const recognisable = secrets
		.filter(({ length }) => length >= SHORTEST_RECOGNISABLE_SECRET)
		.sort((a, b) => b.length - a.length);
	const numbers = new Set(
		recognisable.filter((secret) => /^0*[1-9]\d{7,}$/.test(secret)).map(Number),
	);
	let patterns: Array<string | RegExp> | undefined;

	const text = (given: string) => {
		if (given.length < SHORTEST_RECOGNISABLE_SECRET) return given;
		patterns ??= recognisable.flatMap(patternsOf);
		return patterns.reduce<string>((shown, pattern) => shown.replaceAll(pattern, HIDDEN), given);
	};
	const copy = (value: unknown): GenericValue => {
		if (typeof value === 'string') return text(value);
		if (typeof value === 'number') return numbers.has(value) ? HIDDEN : value;
		if (Array.isArray(value)) return value.map(copy) as GenericValue[];
		// An expression may have given a date, which n8n serialises.
		const isPlain = typeof value === 'object' && value !== null && !('toJSON' in value);
		return isPlain ? copyOf(value) : (value as GenericValue);
	};
	const copyOf = (object: object): IDataObject =>
		Object.fromEntries(Object.entries(object).map(([name, inner]) => [text(name), copy(inner)]));

	return { text, item: copyOf };
}

/** Secrets of more characters are not recognised percent-encoded: the pattern would be too large. */
const LONGEST_ENCODABLE = 1_000;

/**
 * A secret as JSON writes it, as it is, percent-encoded or form-encoded, and in base64, in the order in
 * which it must be hidden. Which characters are percent-encoded differs from service to service, so
 * each of them may be.
 */
function patternsOf(secret: string): Array<string | RegExp> {
	const bytes = Buffer.from(secret);
	const json = JSON.stringify(secret).slice(1, -1);
	const base64 = [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
	if (secret.length > LONGEST_ENCODABLE) return [json, secret, ...base64];
	const encoded = new RegExp(Array.from(secret, encodedOrNot).join(''), 'g');
	return [...(json === secret ? [] : [json]), encoded, ...base64];
}

/** A character, or its bytes as percent-codes with digits in either case; in forms, a plus is a space. */
function encodedOrNot(character: string): string {
	const codes = Buffer.from(character).toString('hex').replace(/../g, '%$&');
	const anyCase = codes.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
	return `(?:${anyCase}|${literal(character)}${character === ' ' ? '|\\+' : ''})`;
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
