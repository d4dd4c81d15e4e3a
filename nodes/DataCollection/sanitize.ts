import type { GenericValue, IDataObject } from 'n8n-workflow';

/** Deeper values are refused: serialising them would overflow the stack later on. */
export const MAXIMUM_DEPTH = 200;

/** Shorter secrets look like ordinary words and numbers. */
const SHORTEST_RECOGNISABLE_SECRET = 8;

/** Longer secrets are hidden piece by piece, because a regular expression has a maximum size. */
const LONGEST_PIECE = 500;

const HIDDEN = '(hidden)';

/** Fields named after parts of the credential: the webhook secret and the two headers. */
const CREDENTIAL_FIELDS = ['webhooksecret', 'authorization', 'tokenid'];

/** Whether every object inherits this name, so that using it as a key could change the object. */
export const isInheritedName = (name: string): boolean =>
	name === 'prototype' || name in Object.prototype;

/** Makes foreign values safe to show: replaces repeated parts of the credential with `(hidden)`. */
export interface Sanitizer {
	/** Hides each secret of 8 or more characters, however they are escaped. */
	text(text: string): string;
	/**
	 * A new copy of foreign JSON that is safe to output: without keys that every object inherits
	 * (`__proto__`, `constructor`, `toString`, ...), without fields named after a part of the
	 * credential, and with secrets hidden in texts, names and numbers. Throws a RangeError if it is
	 * nested deeper than {@link MAXIMUM_DEPTH}.
	 */
	copy(value: IDataObject): IDataObject;
}

/** Creates a sanitizer for these secrets, in any order and number. Builds patterns on first use. */
export function createSanitizer(secrets: readonly string[]): Sanitizer {
	// The longest first: hiding a shorter one inside it would leave the rest of it readable.
	const hidden = secrets
		.filter((secret) => secret.length >= SHORTEST_RECOGNISABLE_SECRET)
		.sort((left, right) => right.length - left.length);
	const numbers = new Set(hidden.filter((secret) => /^0*[1-9]\d{7,}$/.test(secret)).map(Number));
	let patterns: RegExp[] | undefined;

	const text = (given: string) => {
		patterns ??= hidden.flatMap(piecesOf).map(patternOf);
		return patterns.reduce((shown, pattern) => shown.replace(pattern, HIDDEN), given);
	};
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

const piecesOf = (secret: string): string[] =>
	secret.match(new RegExp(`[^]{${SHORTEST_RECOGNISABLE_SECRET},${LONGEST_PIECE}}`, 'gu')) ?? [];

/** Matches a secret as it is, with any of its characters escaped, and in base64. */
function patternOf(secret: string): RegExp {
	// A run of one character is matched as a whole: encoders write all of it in the same way, and
	// trying every mixture would take exponential time.
	const runs = secret.match(/(.)\1*/gsu) ?? [];
	const escaped = runs.map((run) => {
		const [char = ''] = run;
		const count = [...run].length;
		const ways = writingsOf(char).map((way) => (count === 1 ? way : `(?:${way}){${count}}`));
		return ways.length === 1 ? ways[0] : `(?:${ways.join('|')})`;
	});
	return new RegExp([escaped.join(''), ...inBase64(secret)].join('|'), 'gu');
}

/** Patterns for the ways in which URLs, forms, JSON, HTML and XML may encode a character. */
function writingsOf(char: string): string[] {
	const itself = /[\^$\\.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
	if (/[A-Za-z0-9]/.test(char)) return [itself];
	const hex = (number: number, digits: number) =>
		anyCase(number.toString(16).padStart(digits, '0'));
	const code = char.codePointAt(0) ?? 0;
	const percent = [...Buffer.from(char)].map((byte) => `%${hex(byte, 2)}`).join('');
	const units = char.split('').map((unit) => unit.charCodeAt(0));
	const unicode = units.map((unit) => `\\\\u${hex(unit, 4)}`).join('');
	const entity = `&(?:#0*${code}|#[xX]0*${hex(code, 1)}${NAMED[char] ?? ''});`;
	const short = SHORT_ESCAPES[char] ?? (code < 128 ? itself : undefined);
	const ways = [percent, unicode, entity, ...(short === undefined ? [] : [`\\\\${short}`]), itself];
	return char === ' ' ? [...ways, '\\+'] : ways;
}

const anyCase = (text: string) =>
	text.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

type Writings = Partial<Record<string, string>>;
const NAMED: Writings = { '&': '|amp', '<': '|lt', '>': '|gt', '"': '|quot', "'": '|apos' };
const SHORT_ESCAPES: Writings = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' };

/** The middle of the secret in base64, for each of its three possible alignments in a text. */
function inBase64(secret: string): string[] {
	return [0, 1, 2].map((before) => {
		const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
		const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
		const middle = bytes.toString('base64').slice(from, to);
		return middle.replaceAll('+', '[+-]').replaceAll('/', '[/_]');
	});
}
