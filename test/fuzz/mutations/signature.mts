import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { names, valueOf, withHeader, type Letter, type Mutation } from '../support/request.mts';

type Change = (right: string, letter: Letter) => string;

const resigned = (title: string, change: Change): Mutation => ({
	title,
	request: (request, letter) =>
		withHeader(request, names.signature, change(valueOf(request.headers, names.signature), letter)),
});

const hexDigits = [...'0123456789abcdef'];
const mac = (algorithm: string, { secret, timestamp, body }: Letter) =>
	createHmac(algorithm, secret).update(`${timestamp}.`).update(body);
const over =
	(text: (letter: Letter) => string | Buffer): Change =>
	(_right, letter) =>
		createHmac('sha256', letter.secret).update(text(letter)).digest('hex');

const flipped = fc
	.tuple(fc.nat(63), fc.constantFrom(...hexDigits))
	.map(([at, digit]) =>
		resigned(
			`digit ${at} is ${digit}`,
			(right) => right.slice(0, at) + digit + right.slice(at + 1),
		),
	);

const cut = fc
	.nat(80)
	.map((length) => resigned(`${length} digits`, (right) => (right + right).slice(0, length)));

const upper = fc
	.array(fc.boolean(), { minLength: 64, maxLength: 64 })
	.map((flags) =>
		resigned('digits in upper case', (right) =>
			[...right].map((digit, at) => (flags[at] ? digit.toUpperCase() : digit)).join(''),
		),
	);

const inserted = fc
	.tuple(fc.nat(64), fc.constantFrom(' ', ',', '"', 'g', '-', '\u00a0', '=', '%00'))
	.map(([at, letter]) =>
		resigned(`"${letter}" at ${at}`, (right) => right.slice(0, at) + letter + right.slice(at)),
	);

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
	['of the body alone', over(({ body }) => body)],
	['of the time alone', over(({ timestamp }) => timestamp)],
	[
		'with a colon in place of the dot',
		over(({ timestamp, body }) => `${timestamp}:${body.toString()}`),
	],
	['without the dot', over(({ timestamp, body }) => Buffer.concat([Buffer.from(timestamp), body]))],
	['of the body before the time', over(({ timestamp, body }) => `${body.toString()}.${timestamp}`)],
	['of the empty text', over(() => '')],
	[
		'of text that is made from the bytes',
		over(({ timestamp, body }) => `${timestamp}.${body.toString()}`),
	],
	['SHA-512', (_right, letter) => mac('sha512', letter).digest('hex')],
	['SHA-1', (_right, letter) => mac('sha1', letter).digest('hex')],
	[
		'a hash without a key',
		(_right, { timestamp, body }) =>
			createHash('sha256').update(`${timestamp}.`).update(body).digest('hex'),
	],
	[
		'the key before the text',
		(_right, { secret, timestamp, body }) =>
			createHash('sha256').update(`${secret}${timestamp}.`).update(body).digest('hex'),
	],
];

/** Another signature than the right one, but for a few that happen to be the same. */
export const signatureMutations = fc.oneof(
	{ arbitrary: flipped, weight: 4 },
	{ arbitrary: cut, weight: 3 },
	{ arbitrary: upper, weight: 2 },
	{ arbitrary: inserted, weight: 2 },
	{
		arbitrary: fc.constantFrom(...forms).map(([title, change]) => resigned(title, change)),
		weight: 8,
	},
);
