import { err, type Result } from '../basics/result';
import { textOf, visible } from '../basics/values';

/** What an entry, or the service, says about a person. */
export interface Contact {
	name?: unknown;
	email?: unknown;
	phoneNumber?: unknown;
}

/** An email address in its clean form, and the name that stood with it. */
export interface Mailbox {
	email: string;
	name?: string;
}

const QUOTES = '"\'`“”„‟‘’‚‛«»‹›';
/** A spreadsheet leaves `="…"` as it is. */
const STARTS_WITH_QUOTE = RegExp(`^(?:="|[${QUOTES}\\s])+`, 'u');
const ENDS_WITH_QUOTE = RegExp(`[${QUOTES}\\s;,.]+$`, 'u');
const IN_QUOTES = RegExp(`^[${QUOTES}](.*)[${QUOTES}]$`, 'su');

/** An optional name, then an address in angle brackets. */
const IN_BRACKETS = /^([^<>]*)<([^<>]*)>[\s;,.]*$/;

/**
 * No white space, quotes, brackets, commas, semicolons or colons, and nothing that stands for a lost
 * character; a domain has letters, digits and hyphens only.
 */
const ADDRESS =
	/^(?!.*[\s\p{C}\uFFFD“”„‟‘’‚‛«»‹›])[^"()<>[\]{}\\,;:@]+@[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*$/u;

/**
 * The email address in a text such as `Name <address>`, `mailto:address` or `"address";`. Of what is
 * no address, it says whether there are several. The result is the form that is sent.
 */
export function parseEmail(text: string): Result<Mailbox, 'invalid' | 'several'> {
	const whole = visible(text);
	const [, display = '', inner = whole] =
		IN_BRACKETS.exec(whole) ?? IN_BRACKETS.exec(unwrapped(whole)) ?? [];
	const email = unwrapped(inner);
	const name = nameIn(display);
	// Many programs repeat the address in place of a name.
	const isRepeated = name.includes('@') && emailKey(name) === emailKey(email);
	const isClear = isRepeated || !/@|,$/.test(name);
	if (ADDRESS.test(email) && isClear) {
		return { ok: true, value: name === '' || isRepeated ? { email } : { email, name } };
	}
	const several = whole.match(/[^\s@,;<>/|]+@[^\s@,;<>/|]+/g) ?? [];
	return err(several.length > 1 ? 'several' : 'invalid');
}

/** Without quotes, angle brackets and `mailto:` around it, and separators behind it. */
function unwrapped(text: string): string {
	const [, inner = text] = /^<([^<>]*)>$/.exec(text) ?? [];
	const shorter = withoutScheme(inner).replace(STARTS_WITH_QUOTE, '').replace(ENDS_WITH_QUOTE, '');
	return shorter === text ? text : unwrapped(shorter);
}

/** What a link of the kind `mailto:` leads to. */
function withoutScheme(text: string): string {
	const [, address] = /^mailto:([^?]*)/i.exec(text) ?? [];
	if (address === undefined) return text;
	try {
		return decodeURIComponent(address);
	} catch {
		return address;
	}
}

/** The name before an address in angle brackets; inside quotes, a backslash protects a quote. */
function nameIn(display: string): string {
	const trimmed = display.trim();
	const [, inner] = IN_QUOTES.exec(trimmed) ?? [];
	return inner === undefined ? trimmed : inner.replace(/\\(.)/gsu, '$1').trim();
}

/** The same text for every form of the same address. Of anything else, its text in lower case. */
export function emailKey(value: unknown): string {
	const text = textOf(value) ?? '';
	const parsed = parseEmail(text);
	const address = parsed.ok ? parsed.value.email : visible(text);
	const domainAt = address.lastIndexOf('@') + 1;
	const domain = parsed.ok ? inAscii(address.slice(domainAt)) : address.slice(domainAt);
	return `${address.slice(0, domainAt)}${domain}`.toLowerCase();
}

/** A domain as DNS has it: `bücher.example` is `xn--bcher-kva.example`. */
function inAscii(domain: string): string {
	// Of a domain in ASCII, a URL would take numbers for an IP address.
	if (/^\p{ASCII}*$/u.test(domain)) return domain;
	try {
		return new URL(`http://${domain}`).hostname;
	} catch {
		return domain;
	}
}

/** What `4.41E+11` and `441234567890.0` have in common: a program took them for quantities. */
const QUANTITY = /^[+-]?(\d+([.,]\d+)?\s*e\s*[+-]?\d+|\d{7,}[.,]\d{1,2})$/i;

/** What may stand behind a number, and what no number has. */
const EXTENSION = /(?:ext(?:ension)?|x|#)[.:]?\s*\d+$/i;
const NOT_IN_NUMBER = /[\p{L}\p{C}\uFFFD@="<>{}]/u;

const digitsIn = (text: string): number => text.match(/\p{Nd}/gu)?.length ?? 0;

/**
 * The phone number as it was entered, without invisible characters, and without quotes, `tel:` and
 * separators around it; or why it is none.
 */
export function parsePhone(text: string): Result<string, 'invalid' | 'quantity' | 'several'> {
	const phone = visible(text)
		.replace(STARTS_WITH_QUOTE, '')
		.replace(/^tel:\s*/i, '')
		.replace(ENDS_WITH_QUOTE, '');
	if (QUANTITY.test(phone)) return err('quantity');
	const parts = phone.split(/[;,|:\r\n]| \/ /).filter((part) => digitsIn(part) > 5);
	if (parts.length > 1) return err('several');
	const isNumber = digitsIn(phone) > 2 && !NOT_IN_NUMBER.test(phone.replace(EXTENSION, ''));
	return isNumber ? { ok: true, value: phone } : err('invalid');
}

/** The same text for every way to write a number, also as +41 (0)44 668; empty if it is none. */
export function phoneKey(value: unknown): string {
	const phone = parsePhone(textOf(value) ?? '');
	if (!phone.ok) return '';
	return phone.value
		.normalize('NFKC')
		.toLowerCase()
		.replace(/^((?:\+|00).*?)\(0\)/, '$1')
		.replace(/[\s\p{Pd}\p{Ps}\p{Pe}\u2212./·]/gu, '')
		.replace(/^(00|\++)/, '+');
}

const nameKey = (value: unknown): string =>
	visible(textOf(value) ?? '')
		.replace(/\s+/g, ' ')
		.toLowerCase();

/** A person: the entries about them, and the names and the phone numbers in these. */
interface Known<T> {
	entries: Array<{ entry: T; position: number }>;
	names: Set<string>;
	phones: Set<string>;
}

/**
 * The entries of each person, in the order of their first entries. Entries with the same email are one
 * person. If one of two entries has no email, they are one person if they have the same phone number
 * and the same name, or if one of them has no name.
 */
export function groupByPerson<T extends Contact>(entries: T[]): T[][] {
	const people: Array<Known<T>> = [];
	const byEmail = new Map<string, Known<T>>();
	const byPhone = new Map<string, Array<Known<T>>>();
	for (const { entry, position, email, phone, name } of bestKnownFirst(entries)) {
		const found = email === '' ? withName(byPhone.get(phone), name) : byEmail.get(email);
		const person: Known<T> = found ?? { entries: [], names: new Set(), phones: new Set() };
		if (found === undefined) people.push(person);
		person.entries.push({ entry, position });
		if (email !== '') byEmail.set(email, person);
		if (name !== '') person.names.add(name);
		if (phone === '' || person.phones.has(phone)) continue;
		person.phones.add(phone);
		byPhone.set(phone, [...(byPhone.get(phone) ?? []), person]);
	}
	const inOrder = people.map((person) => person.entries.sort((a, b) => a.position - b.position));
	inOrder.sort(([a], [b]) => (a?.position ?? 0) - (b?.position ?? 0));
	return inOrder.map((person) => person.map(({ entry }) => entry));
}

/** Those with an email, then those with a name: the order of the entries decides nothing. */
function bestKnownFirst<T extends Contact>(entries: T[]) {
	const known = entries.map((entry, position) => ({
		entry,
		position,
		email: emailKey(entry.email),
		phone: phoneKey(entry.phoneNumber),
		name: nameKey(entry.name),
	}));
	const rank = ({ email, name }: (typeof known)[number]) =>
		email === '' ? 1 + Number(name === '') : 0;
	return known.sort((a, b) => rank(a) - rank(b));
}

/** Of the people with a phone number, the one with this name; the first one if it is not known. */
function withName<T>(people: Array<Known<T>> = [], name: string): Known<T> | undefined {
	if (name === '') return people[0];
	const same = people.find(({ names }) => names.has(name));
	return same ?? people.find(({ names }) => names.size === 0);
}
