import fc from 'fast-check';
import type { Contact } from '../../nodes/DataCollection/people/contact.ts';
import { parseEmail } from '../../nodes/DataCollection/people/contact.ts';
import { personKeysOf } from '../../nodes/DataCollection/people/samePerson.ts';
import { groupByPerson } from '../../nodes/DataCollection/people/samePerson.ts';

const peopleIn = (entries: Contact[]) => groupByPerson(entries, personKeysOf);
const emailKey = (email: unknown) => personKeysOf({ email }).email;
const phoneKey = (phoneNumber: unknown) => personKeysOf({ phoneNumber }).phone;

/** Texts that have an email address in them, and the name beside it. */
const forms = fc.constantFrom<Array<[write: (address: string) => string, name?: string]>>(
	[(address) => address],
	[(address) => address.toUpperCase()],
	[(address) => address.normalize('NFD')],
	[(address) => ` ${address};`],
	[(address) => `${address},\n`],
	[(address) => `${address}.`],
	[(address) => `<${address}>`],
	[(address) => `"<${address}>";`],
	[(address) => `"${address}"`],
	[(address) => `'${address}'`],
	[(address) => `“${address}”`],
	[(address) => `'${address}`],
	[(address) => `MAILTO:${encodeURIComponent(address)}?subject=a@b`],
	[(address) => `<mailto:${address}>`],
	[(address) => `\ufeff${[...address].join('\u200b')}\u202c\u00a0`],
	[(address) => `\u2068${[...address].join('\u00ad')}\u2069`],
	[(address) => [...address].join('\u200d')],
	[(address) => `${address} <${address}>`],
	[(address) => `"${address}" <${address.toUpperCase()}>`],
	[(address) => `Ada Lovelace <${address}>`, 'Ada Lovelace'],
	[(address) => `"Ada Lovelace <${address}>"`, 'Ada Lovelace'],
	[(address) => `'Lovelace, Ada' <${address}>;`, 'Lovelace, Ada'],
	[(address) => `Lovelace, Ada <mailto:${address}>;`, 'Lovelace, Ada'],
	[(address) => `"Ada \\"Countess\\" Lovelace" <${address}>`, 'Ada "Countess" Lovelace'],
	[(address) => `Zoë "Countess" O’Brien <${address}>`, 'Zoë "Countess" O’Brien'],
);
const word = fc.string({
	unit: fc.constantFrom(...'abcxyzäöü用0129_-'),
	minLength: 1,
	maxLength: 8,
});
const label = word.map((text) => `x${text}x`.replaceAll('_', ''));
const addresses = fc
	.tuple(word, fc.constantFrom('', '.', '+', "'"), word, fc.array(label, { minLength: 1 }))
	.map(([first, between, last, labels]) => `a${first}${between}${last}@${labels.join('.')}`);

test('whatever form an address takes, it is sent clean, with the name, and is the same person', () => {
	fc.assert(
		fc.property(addresses, forms, (address, [write, name]) => {
			const parsed = parseEmail(write(address));
			if (!parsed.ok) throw new Error(`${write(address)} is refused`);
			const clean = { ...parsed.value, email: parsed.value.email.toLowerCase() };
			expect(clean).toEqual({ email: address, ...(name !== undefined && { name }) });
			expect(peopleIn([{ email: write(address) }, { email: address }])).toHaveLength(1);
		}),
		{ numRuns: 300 },
	);
});

test('another address is another person', () => {
	fc.assert(
		fc.property(addresses, addresses, forms, (one, other, [write]) => {
			fc.pre(one !== other);
			expect(peopleIn([{ email: write(one) }, { email: other }])).toHaveLength(2);
		}),
	);
});

test.each([
	['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
	['ada@xn--BCHER-kva.example', 'ada@xn--bcher-kva.example'],
	// A URL would take these numbers for an address.
	['ada@1.2', 'ada@1.2'],
	['No Address', 'no address'],
	['ada@example.com:80', 'ada@example.com:80'],
	[{ email: 'ada@example.com' }, ''],
	['a'.repeat(1000), 'a'.repeat(501)],
])('the email %j is compared as %j', (email, key) => {
	expect(emailKey(email)).toBe(key);
});

const PHONE = '+41446681800';

test.each([
	'+41 (44) 668-18-00',
	'+41 (0)44 668 18 00',
	'0041 44 668 18 00',
	'++41 44 668 18 00',
	'tel:+41-44-668-18-00',
	'+41.44.668.18.00',
	'+41\u00a044\u2011668\u201318\u221200',
	'\u202a+41446681800\u202c',
	'＋４１ ４４ ６６８ １８ ００',
])('the phone number %j is compared as the digits', (phone) => {
	expect(phoneKey(phone)).toBe(PHONE);
});

test('(0) without a country code is a digit of the number', () => {
	expect(phoneKey('(0)44 668 18 00')).toBe(phoneKey('044 668 18 00'));
});

test('a number is compared by its digits, and what is no phone number by nothing', () => {
	expect(phoneKey(41446681800)).toBe('41446681800');
	expect(['n/a', '4.41E+11', null, {}].map(phoneKey)).toEqual(['', '', '', '']);
});

const ada = { name: 'Ada', phoneNumber: PHONE };
const ben = { name: 'Ben', phoneNumber: PHONE };
const [a, b] = ['a@example.com', 'b@example.com'];

test.each<[string, Contact[], number]>([
	['a family with one number and two names', [ada, ben], 2],
	['one name in two spellings', [ada, { ...ada, name: ' ADA\u200b' }], 1],
	['one of them without a name', [ada, { phoneNumber: '0041 44 668 18 00' }], 1],
	['two without a name', [{ phoneNumber: PHONE }, { phoneNumber: PHONE }], 1],
	['a family, and the number alone', [{ phoneNumber: PHONE }, ada, ben], 2],
	[
		'two emails and one number',
		[
			{ ...ada, email: a },
			{ ...ada, email: b },
		],
		2,
	],
	['an email and the number, then the number alone', [{ ...ada, email: a }, ada], 1],
	[
		'one email with the number, and with the name, then both without it',
		[{ phoneNumber: PHONE, email: a }, { name: 'Ada', email: a }, ada],
		1,
	],
	[
		'one email with two numbers, then the second',
		[{ ...ada, email: a }, { phoneNumber: '112', email: a }, { phoneNumber: '112' }],
		1,
	],
	[
		'one email with two names, then the second',
		[
			{ ...ada, email: a },
			{ name: 'Countess', email: a },
			{ ...ada, name: 'Countess' },
		],
		1,
	],
	['the number of another person with an email', [{ ...ada, email: a }, ben], 2],
	['a family, of which one address is known', [{ phoneNumber: PHONE, email: a }, ada, ben], 2],
	[
		'a number of two people, whose names come later, and of somebody else',
		[
			{ phoneNumber: PHONE, email: a },
			{ phoneNumber: PHONE, email: b },
			{ name: 'Ada', email: a },
			{ name: 'Ben', email: b },
			{ name: 'Cleo', phoneNumber: PHONE },
		],
		3,
	],
	['two names without anything else', [{ name: 'Ada' }, { name: 'Ada' }], 2],
	['a changed number', [{ phoneNumber: '4.41E+11' }, { phoneNumber: '4.41E+11' }], 2],
	['what the service may send', [{ email: 7 }, { email: [], phoneNumber: {} }, {}], 3],
])('%s: %#', (_title, entries, people) => {
	const orders = fc.shuffledSubarray(entries, { minLength: entries.length });
	fc.assert(fc.property(orders, (order) => expect(peopleIn(order)).toHaveLength(people)));
});

test('people are in the order of their first entries, and so are the entries of each', () => {
	const entries = [{ phoneNumber: PHONE }, { email: b }, ada, { email: a }, { email: `<${b}>` }];
	const [first, second, third, fourth, fifth] = entries;
	expect(peopleIn(entries)).toEqual([[first, third], [second, fifth], [fourth]]);
});

test('a name with a number is whoever has both, before somebody of whom only the number is known', () => {
	const [unnamed, named] = [
		{ phoneNumber: PHONE, email: a },
		{ ...ada, email: b },
	];
	expect(peopleIn([unnamed, named, ada])).toEqual([[unnamed], [named, ada]]);
});
