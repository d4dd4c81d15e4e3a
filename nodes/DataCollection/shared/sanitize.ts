import type { GenericValue, IDataObject } from 'n8n-workflow';

/** Deeper values are refused: serialising them would exhaust the stack of whoever handles the item. */
export const MAXIMUM_DEPTH = 200;

/** Shorter secrets cannot be told apart from ordinary words and numbers in a text. */
const SHORTEST_RECOGNISABLE_SECRET = 8;

const HIDDEN = '(hidden)';

/** Fields that hold a part of the credential, whatever it is: the secret and the two headers. */
const CREDENTIAL_FIELDS = ['webhooksecret', 'authorization', 'tokenid'];

/** Whether every object has this name already, so that using it as a key could change the object. */
export function isInheritedName(name: string): boolean {
	return name === 'prototype' || name in Object.prototype;
}

/** Makes foreign values safe to show: what they repeat of the credential becomes `(hidden)`. */
export interface Sanitizer {
	/** Hides each secret of 8 or more characters, see {@link writingsOf}. */
	text(text: string): string;
	/**
	 * A fresh copy of foreign JSON that is safe to emit: without keys that every object inherits
	 * (`__proto__`, `constructor`, `toString`, ...) and without fields that are named after a part of
	 * the credential, secrets hidden in texts, names and numbers. Throws a RangeError when nested
	 * deeper than {@link MAXIMUM_DEPTH}.
	 */
	copy(value: IDataObject): IDataObject;
}

/** A sanitizer for these secrets, in any order and number. */
export function createSanitizer(secrets: readonly string[]): Sanitizer {
	const hidden = secrets.filter((secret) => secret.length >= SHORTEST_RECOGNISABLE_SECRET);
	const pattern = patternOf(hidden);
	const numbers = new Set(hidden.filter((secret) => /^[1-9]\d*$/.test(secret)).map(Number));

	const text = (given: string) => (pattern === undefined ? given : given.replace(pattern, HIDDEN));

	const copyValue = (inner: unknown, depth: number): GenericValue => {
		if (typeof inner === 'string') return text(inner);
		if (typeof inner === 'number') return numbers.has(inner) ? HIDDEN : inner;
		if (typeof inner !== 'object' || inner === null) return inner as GenericValue;
		if (depth > MAXIMUM_DEPTH) throw new RangeError('The value is nested too deeply');
		if (Array.isArray(inner)) return inner.map((entry) => copyValue(entry, depth + 1)) as never;
		return copyObject(inner, depth);
	};
	const copyObject = (object: object, depth: number): IDataObject =>
		Object.fromEntries(
			Object.entries(object)
				.filter(([name]) => !isInheritedName(name) && !isCredentialField(name))
				.map(([name, inner]) => [text(name), copyValue(inner, depth + 1)]),
		);

	return { text, copy: (value) => copyObject(value, 0) };
}

const isCredentialField = (name: string) => CREDENTIAL_FIELDS.includes(name.toLowerCase());

/** Finds every secret however it is written, the longest first: one may be a part of another. */
function patternOf(secrets: string[]): RegExp | undefined {
	const writings = [...new Set(secrets.flatMap(writingsOf))].sort((a, b) => b.length - a.length);
	if (writings.length === 0) return undefined;
	const literals = writings.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
	return new RegExp(literals.join('|'), 'g');
}

/** The ways in which a service may repeat a secret: as it is, or encoded for one of these formats. */
function writingsOf(secret: string): string[] {
	return [secret, ...inUrl(secret), ...inJson(secret), ...inHtml(secret), ...inBase64(secret)];
}

function inUrl(secret: string): string[] {
	const encoded = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\uFFFD'));
	const strict = encoded.replace(
		/[!'()*]/g,
		(mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
	);
	return [encoded, strict]
		.flatMap((text) => [text, text.replaceAll('%20', '+')])
		.flatMap((text) => [text, text.replace(/%../g, (code) => code.toLowerCase())]);
}

function inJson(secret: string): string[] {
	const quoted = JSON.stringify(secret).slice(1, -1);
	const unit = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
	const ascii = quoted.replace(/[\u007f-\uffff]/g, unit);
	return [quoted, ascii].flatMap((text) => [text, text.replaceAll('/', '\\/')]);
}

function inHtml(secret: string): string[] {
	const tags = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
	return ['&#39;', '&#x27;', '&apos;', "'"].flatMap((apostrophe) =>
		['&quot;', '&#34;', '"'].map((quote) =>
			tags.replaceAll("'", apostrophe).replaceAll('"', quote),
		),
	);
}

/**
 * The middle of the secret in base64, as it looks at each of the three places where it may begin
 * inside a longer encoded text, such as a whole header.
 */
function inBase64(secret: string): string[] {
	return [0, 1, 2]
		.map((before) => {
			const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
			const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
			return bytes.toString('base64').slice(from, to);
		})
		.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}
