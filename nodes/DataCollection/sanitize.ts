import type { GenericValue, IDataObject } from 'n8n-workflow';

/** Deeper values are refused: serialising them would overflow the stack later on. */
export const MAXIMUM_DEPTH = 200;

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
 * value itself, so it must be one that was just parsed. Throws a RangeError if it is nested deeper
 * than {@link MAXIMUM_DEPTH}.
 */
export function removeHarmfulFields<T>(json: T, depth = 0): T {
	if (typeof json !== 'object' || json === null) return json;
	if (depth > MAXIMUM_DEPTH) throw new RangeError('The value is nested too deeply');
	if (Array.isArray(json)) {
		for (const entry of json) removeHarmfulFields(entry, depth + 1);
		return json;
	}
	const fields = json as Record<string, unknown>;
	for (const name of Object.keys(fields)) {
		if (isInheritedName(name) || isCredentialField(name)) delete fields[name];
		else removeHarmfulFields(fields[name], depth + 1);
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
	/** Hides each secret of 8 or more characters, as it is and in the forms of {@link formsOf}. */
	text(text: string): string;
	/** A copy of an item in which secrets are hidden in texts, names and numbers. */
	item(item: IDataObject): IDataObject;
}

/** Creates a sanitizer for these secrets, in any order and number. */
export function createSanitizer(secrets: readonly string[]): Sanitizer {
	const recognisable = secrets.filter(({ length }) => length >= SHORTEST_RECOGNISABLE_SECRET);
	const numbers = new Set(
		recognisable.filter((secret) => /^0*[1-9]\d{7,}$/.test(secret)).map(Number),
	);
	let forms: string[] | undefined;

	const text = (given: string) => {
		if (given.length < SHORTEST_RECOGNISABLE_SECRET) return given;
		// The longest first: hiding a shorter one inside it would leave the rest of it readable.
		forms ??= [...new Set(recognisable.flatMap(formsOf))].sort((a, b) => b.length - a.length);
		return forms.reduce(
			(shown, form) => (form.length > shown.length ? shown : shown.replaceAll(form, HIDDEN)),
			given,
		);
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

/**
 * The ways in which services write a secret: as it is, percent-encoded, form-encoded, escaped for
 * JSON or HTML, and in base64, always as a whole.
 */
function formsOf(secret: string): string[] {
	const percent = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\uFFFD'));
	const form = new URLSearchParams({ '': secret }).toString().slice(1);
	const json = JSON.stringify(secret).slice(1, -1);
	const asciiJson = json.replace(/[^ -~]/g, inUnicode);
	const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
	const urls = [percent, form, percent.replaceAll('%2F', '/')];
	return [
		secret,
		...urls,
		...urls.map((url) => url.replace(/%../g, (code) => code.toLowerCase())),
		...[json, asciiJson].flatMap((text) => [text, text.replaceAll('/', '\\/')]),
		json.replace(/[<>&]/g, inUnicode),
		asciiJson.replace(/[<>&'+`]/g, inUnicode).replace(/\\u..../g, withUpperCaseDigits),
		...HTML_QUOTES.map((quotes) => escapeHtml(secret, quotes)),
		secret.replace(/[&<>"'`=/]/g, (mark) => `&#x${hexOf(mark).toUpperCase()};`),
		...[base64, base64.replaceAll('+', '-').replaceAll('/', '_')],
	];
}

const hexOf = (unit: string) => unit.charCodeAt(0).toString(16);
const inUnicode = (unit: string) => `\\u${hexOf(unit).padStart(4, '0')}`;
const withUpperCaseDigits = (code: string) => `\\u${code.slice(2).toUpperCase()}`;

/** How the quotation mark and the apostrophe are written. Encoders differ only in these. */
const HTML_QUOTES = [
	['"', "'"],
	['&quot;', "'"],
	['&quot;', '&#39;'],
	['&quot;', '&#039;'],
	['&quot;', '&#x27;'],
	['&quot;', '&apos;'],
	['&#34;', '&#39;'],
] as const;

function escapeHtml(text: string, [quote, apostrophe]: (typeof HTML_QUOTES)[number]): string {
	const names = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': quote, "'": apostrophe };
	return text.replace(/[&<>"']/g, (mark) => names[mark as keyof typeof names]);
}
