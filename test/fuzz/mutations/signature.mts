import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { Letter, World } from '../letters.mts';
import { drawn, names, ofHeader, ofLetter, tabled } from './mutation.mts';

const keys: Array<[title: string, key: (world: World) => string]> = [
	['the previous secret', ({ previous: [first = ''] }) => first],
	['the oldest secret', ({ previous }) => previous.at(-1) ?? ''],
	['a foreign secret', ({ foreign: [first = ''] }) => first],
	['a removed secret', ({ foreign }) => foreign.at(-1) ?? ''],
	['the empty secret', () => ''],
	['the secret and a line break', ({ secret }) => `${secret}\n`],
	['the secret and a carriage return', ({ secret }) => `${secret}\r`],
	['a space before the secret', ({ secret }) => ` ${secret}`],
	['the secret in upper case', ({ secret }) => secret.toUpperCase()],
	['the secret without its last letter', ({ secret }) => secret.slice(0, -1)],
	['the secret without its first letter', ({ secret }) => secret.slice(1)],
	['the secret twice', ({ secret }) => secret + secret],
	['the secret in base64', ({ secret }) => Buffer.from(secret).toString('base64')],
	['the secret without whsec-', ({ secret }) => secret.replace('whsec-', '')],
	['all previous secrets in one', ({ previous }) => previous.join('\n')],
	[
		"n8n's text for a hidden secret",
		() => '__n8n_BLANK_VALUE_e5362baf-c777-4d57-a609-6eaf1f9e87f6',
	],
	['the word undefined', () => 'undefined'],
	// HMAC pads short keys with zeros, so these are the same key.
	['the secret and a zero', ({ secret }) => `${secret}\0`],
];

/** Signed with another key; a few of the keys are right. */
export const secretMutations = tabled(1, keys, (title, key) =>
	ofLetter(`signed with ${title}`, (_letter, world) => ({ secret: key(world) })),
).arbitrary;

type Change = (right: string, letter: Letter) => string;

const resigned = (title: string, change: Change) => ofHeader(title, names.signature, change);

type Text = (time: string, text: string, bytes: Buffer) => string | Buffer;

const over =
	(write: Text, algorithm = 'sha256'): Change =>
	(_right, { secret, timestamp, body }) => {
		const written = write(timestamp, body.toString(), body);
		return createHmac(algorithm, secret).update(written).digest('hex');
	};

/** What is signed. */
const message: Text = (time, _text, bytes) => Buffer.concat([Buffer.from(`${time}.`), bytes]);

const hash = (start: string, body: Buffer) =>
	createHash('sha256').update(start).update(body).digest('hex');

const forms: Array<[title: string, change: Change]> = [
	['sha256= before it', (right) => `sha256=${right}`],
	['v1= before it', (right) => `v1=${right}`],
	['t=,v1= as others have it', (right, { timestamp }) => `t=${timestamp},v1=${right}`],
	['0x before it', (right) => `0x${right}`],
	['base64', (right) => Buffer.from(right, 'hex').toString('base64')],
	['base64url', (right) => Buffer.from(right, 'hex').toString('base64url')],
	['in quotes', (right) => `"${right}"`],
	['twice, with a comma', (right) => `${right}, ${right}`],
	['after a wrong one', (right) => `${'0'.repeat(64)}, ${right}`],
	['backwards', (right) => [...right].reverse().join('')],
	['only zeros', () => '0'.repeat(64)],
	['full-width digits', (right) => right.replace(/\d/g, '\u00ef\u00bc\u0090')],
	['of the body alone', over((_time, _text, bytes) => bytes)],
	['of the time alone', over((time) => time)],
	['with a colon in place of the dot', over((time, text) => `${time}:${text}`)],
	['without the dot', over((time, _text, bytes) => Buffer.concat([Buffer.from(time), bytes]))],
	['of the body before the time', over((time, text) => `${text}.${time}`)],
	['of the empty text', over(() => '')],
	['of text that is made from the bytes', over((time, text) => `${time}.${text}`)],
	['SHA-512', over(message, 'sha512')],
	['SHA-1', over(message, 'sha1')],
	['a hash without a key', (_right, { timestamp, body }) => hash(`${timestamp}.`, body)],
	[
		'the key before the text',
		(_right, { secret, timestamp, body }) => hash(`${secret}${timestamp}.`, body),
	],
];

/** Signatures other than the right one, except for a few that happen to be the same. */
export const signatureMutations = fc.oneof(
	drawn(4, [fc.nat(63), fc.constantFrom(...'0123456789abcdef')], (at, digit) =>
		resigned(
			`digit ${at} is ${digit}`,
			(right) => right.slice(0, at) + digit + right.slice(at + 1),
		),
	),
	drawn(3, [fc.nat(80)], (length) =>
		resigned(`${length} digits`, (right) => (right + right).slice(0, length)),
	),
	drawn(2, [fc.array(fc.boolean(), { minLength: 64, maxLength: 64 })], (flags) =>
		resigned('digits in upper case', (right) =>
			[...right].map((digit, at) => (flags[at] ? digit.toUpperCase() : digit)).join(''),
		),
	),
	drawn(
		2,
		[fc.nat(64), fc.constantFrom(' ', ',', '"', 'g', '-', '\u00a0', '=', '%00')],
		(at, letter) =>
			resigned(`"${letter}" at ${at}`, (right) => right.slice(0, at) + letter + right.slice(at)),
	),
	tabled(8, forms, resigned),
);
