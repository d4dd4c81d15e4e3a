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
	/** Hides each secret of 8 or more characters, as it is and in the forms of {@link hiderOf}. */
	text(text: string): string;
	/** A copy of an item in which secrets are hidden in texts, names and numbers. */
	item(item: IDataObject): IDataObject;
}

/** Creates a sanitizer for these secrets, in any order and number. */
export function createSanitizer(secrets: readonly string[]): Sanitizer {
	// The longest first: hiding a shorter one inside it would leave the rest of it readable.
	const recognisable = [...new Set(secrets)]
		.filter(({ length }) => length >= SHORTEST_RECOGNISABLE_SECRET)
		.sort((a, b) => b.length - a.length);
	const numbers = new Set(
		recognisable.filter((secret) => /^0*[1-9]\d{7,}$/.test(secret)).map(Number),
	);
	let hiders: Array<(text: string) => string> | undefined;

	const text = (given: string) => {
		if (given.length < SHORTEST_RECOGNISABLE_SECRET) return given;
		hiders ??= recognisable.map(hiderOf);
		return hiders.reduce((shown, hide) => hide(shown), given);
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

/** Hides one secret. In its longer forms first: hiding it inside one would leave the rest of that. */
function hiderOf(secret: string): (text: string) => string {
	const bytes = Buffer.from(secret);
	const escaped = [...new Set(formsOf(secret))]
		.filter((form) => form !== secret)
		.sort((a, b) => b.length - a.length);
	const hide = (text: string, form: string) =>
		form.length > text.length ? text : text.replaceAll(form, HIDDEN);
	return (text) => {
		let shown = escaped.reduce(hide, text);
		if (shown.includes('%')) shown = hideEncoded(shown, bytes, PLUS);
		if (shown.includes('+') && secret.includes(' ')) shown = hideEncoded(shown, bytes, SPACE);
		return hide(shown, secret);
	};
}

const [PERCENT = 0, PLUS = 0, SPACE = 0] = Buffer.from('%+ ');

/** The values of hexadecimal digits by their bytes. NaN for any other byte. */
const DIGITS = Array.from({ length: 256 }, (_, byte) => parseInt(String.fromCharCode(byte), 16));
const digitAt = (bytes: Buffer, at: number) => DIGITS[bytes[at] ?? 0] ?? NaN;

/**
 * Hides a secret wherever percent-decoding a text gives it. Encoders differ in the characters that they
 * leave as they are, and in the case of digits. `plus` is what a plus stands for: in forms, a space.
 */
function hideEncoded(text: string, secret: Buffer, plus: number): string {
	const encoded = Buffer.from(text);
	const { decoded, positions } = decode(encoded, plus);
	const shown: Buffer[] = [];
	let copied = 0;
	let found = decoded.indexOf(secret);
	if (found === -1) return text;
	for (; found !== -1; found = decoded.indexOf(secret, found + secret.length)) {
		shown.push(encoded.subarray(copied, positions[found]), Buffer.from(HIDDEN));
		copied = positions[found + secret.length] ?? encoded.length;
	}
	return Buffer.concat([...shown, encoded.subarray(copied)]).toString();
}

/** Percent-decodes bytes. `positions` says where each decoded byte was, and ends with the length. */
function decode(encoded: Buffer, plus: number) {
	const decoded = Buffer.alloc(encoded.length);
	const positions = new Uint32Array(encoded.length + 1);
	let length = 0;
	for (let at = 0; at < encoded.length; length += 1) {
		const byte = encoded[at] ?? 0;
		const code = byte === PERCENT ? digitAt(encoded, at + 1) * 16 + digitAt(encoded, at + 2) : NaN;
		const isCode = !Number.isNaN(code);
		positions[length] = at;
		decoded[length] = isCode ? code : byte === PLUS ? plus : byte;
		at += isCode ? 3 : 1;
	}
	positions[length] = encoded.length;
	return { decoded: decoded.subarray(0, length), positions };
}

/**
 * The other ways in which services write a secret: escaped for JSON or HTML, and in base64, always as a
 * whole. Some of them may be the secret itself.
 */
function formsOf(secret: string): string[] {
	const json = JSON.stringify(secret).slice(1, -1);
	const asciiJson = json.replace(/[^ -~]/g, inUnicode);
	const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
	return [
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
