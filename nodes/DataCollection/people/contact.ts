import { err, type Result } from '../basics/result';
import { isAscii, unified, visible } from '../basics/text';
import { LONGEST_CELL, QUOTES, unwrapped } from './cells';

export interface Contact {
	name?: unknown;
	email?: unknown;
	phoneNumber?: unknown;
}

/** An email address in its clean form, and the name that stood with it. */
interface Mailbox {
	email: string;
	name?: string;
}

/** What a text is in place of an address, or a phone number, and what to do about it. */
export interface Problem {
	what: string;
	description: string;
}

const NO_EMAIL = {
	what: 'no valid email',
	description: 'Enter an address like nathan@example.com, or leave the email empty.',
};
const SEVERAL_EMAILS = {
	what: 'more than one email',
	description: 'Make an entry of its own for each person.',
};

const IN_QUOTES = RegExp(`^[${QUOTES}](.*)[${QUOTES}]$`, 'su');

const IN_BRACKETS = /^([^<>]*)<([^<>]*)>[\s;,.]*$/;

/**
 * Before the `@`, words with single dots in between. Other signs are allowed in theory; in a list, they
 * separate the address from something else, as in `Ada|ada@example.com`.
 */
const LOCAL_PART = /^[\p{L}\p{M}\p{N}_+'&-]+(?:\.[\p{L}\p{M}\p{N}_+'&-]+)*$/u;
const DOMAIN_LABEL = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,62}(?<!-)$/u;

function isAddress(text: string): boolean {
	const [local = '', domain, more] = text.split('@');
	if (domain === undefined || more !== undefined || text.length > 254) return false;
	return LOCAL_PART.test(local) && domain.split('.').every((label) => DOMAIN_LABEL.test(label));
}

/**
 * The email address in a text such as `Name <address>`, `mailto:address` or `"address";`. Of what is
 * no address, it says whether there are several. The result is the form that is sent.
 */
export function parseEmail(text: string): Result<Mailbox, Problem> {
	if (text.length > LONGEST_CELL) return err(NO_EMAIL);
	const whole = visible(text);
	const [, display = '', inner = whole] =
		IN_BRACKETS.exec(whole) ?? IN_BRACKETS.exec(unwrapped(whole)) ?? [];
	const address = unwrapped(inner).replace(/\p{Cf}/gu, '');
	// In a wide form, an @ or a dot is no such sign.
	const email = isAddress(address) ? address.normalize('NFKC') : '';
	const name = nameIn(display);
	// Many programs repeat the address in place of a name.
	const isRepeated = name.includes('@') && addressKey(name) === addressKey(email);
	const isClear = isRepeated || !/@|,$/.test(name);
	if (email !== '' && isClear) {
		return { ok: true, value: name === '' || isRepeated ? { email } : { email, name } };
	}
	const several = whole.split(/[\s,;<>/|]/).filter((part) => /^[^@]+@[^@]+/.test(part));
	return err(several.length > 1 ? SEVERAL_EMAILS : NO_EMAIL);
}

/** The name before an address in angle brackets; inside quotes, a backslash protects a quote. */
function nameIn(display: string): string {
	const trimmed = display.trim();
	const [, inner] = IN_QUOTES.exec(trimmed) ?? [];
	return inner === undefined ? trimmed : inner.replace(/\\(.)/gsu, '$1').trim();
}

/** The same text for every way to write an address, of which only the domain may be in two alphabets. */
export function addressKey(address: string): string {
	const text = unified(address).toLowerCase();
	const domainAt = text.lastIndexOf('@') + 1;
	return `${text.slice(0, domainAt)}${inAscii(text.slice(domainAt))}`;
}

/** A domain as DNS has it: `bücher.example` is `xn--bcher-kva.example`. */
function inAscii(domain: string): string {
	// Of a domain in ASCII, a URL would take numbers for an IP address.
	if (isAscii(domain)) return domain;
	try {
		return new URL(`http://${domain}`).hostname;
	} catch {
		return domain;
	}
}

const NO_PHONE = {
	what: 'no valid phone number',
	description: 'Enter a number like +41 44 668 18 00, or leave the phone number empty.',
};
const SEVERAL_PHONES = { what: 'more than one phone number', description: 'Enter one of them.' };
const CHANGED_PHONE = {
	what: 'a phone number that looks like a number that a spreadsheet has changed',
	description: 'Format the column as text in the spreadsheet, and enter the phone numbers again.',
};

/** What `4.41E+11` and `441234567890.0` have in common: a program took them for quantities. */
const QUANTITY = /^[+-]?(\d+([.,]\d+)?\s*e\s*[+-]?\d+|\d{7,}[.,]\d{1,2})$/i;

/** A date, of a wrong column. */
const DATE = /^(\d{4}-\d\d-\d\d\b|\d\d?[./]\d\d?[./](19|20)\d\d$)/;

/** What may stand behind a number, and what no number has. */
const EXTENSION = /(?:ext(?:ension)?|x|#)[.:]?\s*\d+$/i;
const NOT_IN_NUMBER = /[\p{L}\p{C}\uFFFD@="<>{}]/u;

const digitsIn = (text: string): number => text.match(/\d/g)?.length ?? 0;

/**
 * The phone number as it was entered, with the digits 0 to 9, and without invisible characters, and
 * quotes, `tel:` and separators around it; or why it is none.
 */
export function parsePhone(text: string): Result<string, Problem> {
	if (text.length > LONGEST_CELL) return err(NO_PHONE);
	const phone = unwrapped(unified(text));
	if (QUANTITY.test(phone)) return err(CHANGED_PHONE);
	if (DATE.test(phone)) return err(NO_PHONE);
	const parts = phone.split(/[;,|:\r\n]| \/ /).filter((part) => digitsIn(part) > 5);
	if (parts.length > 1) return err(SEVERAL_PHONES);
	const isNumber = digitsIn(phone) > 2 && !NOT_IN_NUMBER.test(phone.replace(EXTENSION, ''));
	return isNumber ? { ok: true, value: phone } : err(NO_PHONE);
}
