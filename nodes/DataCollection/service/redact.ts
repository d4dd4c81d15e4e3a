import type { GenericValue, IDataObject } from 'n8n-workflow';

import { pathSegment } from '../basics/url';

/** Shorter secrets look like ordinary words and numbers. */
const SHORTEST_RECOGNISABLE_SECRET = 8;

/** Shorter secrets may also be a part of data, such as `acme-corp` in an email address. */
const SHORTEST_UNIQUE_SECRET = 16;

const HIDDEN = '(hidden)';

/**
 * A short secret is hidden only where it stands alone. These characters beside it make it a part of
 * a longer word, address or path; what is encoded, such as `%22` or `\n`, counts as punctuation.
 */
const NOT_BEHIND = '(?<=%[0-9a-fA-F]{2}|\\\\[bfnrt]|\\\\u[0-9a-fA-F]{4}|(?<![\\p{L}\\p{N}_.@~/-]))';
const NOT_BEFORE = '(?![\\p{L}\\p{N}_@+~/-]|[.:][\\p{L}\\p{N}]|%40)';

const CREDENTIAL_FIELDS = ['webhooksecret', 'authorization', 'tokenid'];

/** Whether every object inherits this name, so that using it as a key could change the object. */
export const isInheritedName = (name: string): boolean =>
	name === 'prototype' || name in Object.prototype;

const isCredentialField = (name: string) => CREDENTIAL_FIELDS.includes(name.toLowerCase());

/**
 * At every depth, in place: the JSON was just parsed. Throws a RangeError if the stack overflows.
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

export interface Redactor {
	/** Hides secrets of 16 or more characters everywhere, of 8 to 15 where they stand alone. */
	text(text: string): string;
	/** A copy in which secrets are hidden in texts, numbers and names. */
	item(item: IDataObject): IDataObject;
}

export function createRedactor(secrets: readonly string[]): Redactor {
	const recognisable = secrets.filter(({ length }) => length >= SHORTEST_RECOGNISABLE_SECRET);
	let forms: Array<{ form: string; pattern: RegExp }> | undefined;

	const text = (original: string) => {
		if (original.length < SHORTEST_RECOGNISABLE_SECRET) return original;
		// The longest first: hiding a shorter form inside it would leave its rest readable.
		forms ??= recognisable.flatMap(formsOf).sort((a, b) => b.form.length - a.form.length);
		return forms.reduce((shown, { pattern }) => shown.replace(pattern, HIDDEN), original);
	};
	const copy = (value: unknown): GenericValue => {
		if (typeof value === 'string') return text(value);
		// A token ID may have only digits.
		if (typeof value === 'number') return text(String(value)) === HIDDEN ? HIDDEN : value;
		if (Array.isArray(value)) return value.map(copy) as GenericValue[];
		// An expression may have given a date, which has a JSON form of its own.
		const isPlain = typeof value === 'object' && value !== null && !('toJSON' in value);
		return isPlain ? copyOf(value) : (value as GenericValue);
	};
	const copyOf = (object: object): IDataObject =>
		Object.fromEntries(Object.entries(object).map(([name, inner]) => [text(name), copy(inner)]));

	return { text, item: copyOf };
}

/** As it is, percent-encoded for URLs and for forms, escaped in JSON, and in base64. */
function formsOf(secret: string) {
	const bytes = Buffer.from(secret);
	const texts = [
		secret,
		pathSegment(secret),
		String(new URLSearchParams({ '': secret })).slice(1),
		JSON.stringify(secret).slice(1, -1),
	];
	const encoded = [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
	const isUnique = secret.length >= SHORTEST_UNIQUE_SECRET;
	return [...new Set([...texts, ...encoded])].map((form) => {
		const literal = form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
		const isAnywhere = isUnique || !texts.includes(form);
		const pattern = isAnywhere ? literal : `${NOT_BEHIND}${literal}${NOT_BEFORE}`;
		return { form, pattern: new RegExp(pattern, isAnywhere ? 'g' : 'gu') };
	});
}
