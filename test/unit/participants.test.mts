import type { IDataObject, IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { readParticipants } from '../../nodes/DataCollection/actions/collectionRequest/participants.ts';
import { parametersOf } from '../../nodes/DataCollection/n8n/parameters.ts';

const ADA = 'ada@example.com';
const BEN = 'ben@example.com';
const PHONE = '+41 44 668 18 00';
const CHANGED = 'has a phone number that looks like a number that a spreadsheet has changed';

/** What Create makes of a value in Participants (JSON): the people that it sends, and what it says. */
function read(participantsJson: unknown) {
	const parameters: Record<string, unknown> = { participantsMode: 'json', participantsJson };
	const context: unknown = {
		getNodeParameter: (name: string) => parameters[name],
		getNode: () => ({ name: 'Node', type: 'x', typeVersion: 1, parameters: {} }),
	};
	const hints: string[] = [];
	const given = parametersOf(context as IExecuteFunctions, 0);
	return { ...readParticipants(given, (message) => void hints.push(message)), hints };
}

/** What is sent for a list with one entry, or the message. */
function sent(list: unknown): unknown {
	try {
		return read(list).people;
	} catch (error) {
		return (error as NodeOperationError).message;
	}
}

const email = (text: string) => sent([{ email: text }]);

test.each([
	[ADA],
	[` ${ADA}\t`],
	[`<${ADA}>`],
	[`${ADA};`],
	[`${ADA}, `],
	[`${ADA}.`],
	[`mailto:${ADA}`],
	[`MAILTO:${ADA}?subject=Hello`],
	['mailto:ada%40example.com'],
	[`<mailto:${ADA}>`],
	[`"${ADA}"`],
	[`'${ADA}'`],
	[`“${ADA}”`],
	[`'${ADA}`],
	[`="${ADA}"`],
	[`"<${ADA}>";`],
	[`${ADA} <${ADA}>`],
	[`"${ADA}" <${ADA.toUpperCase().toLowerCase()}>`],
	['ada@example.com\u200b'],
	['\ufeffada@example.com'],
	['\u202aada@example.com\u202c'],
	['\u2068ada@example.com\u2069'],
	['ada@exam\u00adple.com'],
	['a\u2060da@example.com\u00a0'],
])('the email %j is sent as ada@example.com', (text) => {
	expect(email(text)).toEqual([{ email: ADA }]);
});

test.each([
	[`Ada Lovelace <${ADA}>`, 'Ada Lovelace'],
	[`"Lovelace, Ada" <${ADA}>`, 'Lovelace, Ada'],
	[`Lovelace, Ada <${ADA}>`, 'Lovelace, Ada'],
	[`'Lovelace, Ada' <${ADA}>;`, 'Lovelace, Ada'],
	[`"Ada Lovelace <${ADA}>"`, 'Ada Lovelace'],
	[`"Ada \\"Countess\\" Lovelace" <${ADA}>`, 'Ada "Countess" Lovelace'],
	[`Ada "Countess" <${ADA}>`, 'Ada "Countess"'],
	[`Zoë O’Brien <mailto:${ADA}>`, 'Zoë O’Brien'],
])('the email %j names %j', (text, name) => {
	expect(email(text)).toEqual([{ email: ADA, name }]);
	expect(sent([text])).toEqual([{ email: ADA, name }]);
	expect(sent([{ email: text, name: 'Countess' }])).toEqual([{ email: ADA, name: 'Countess' }]);
});

test.each([
	["o'brien@example.com"],
	['Ada.Lovelace+1@sub.example.com'],
	['ada@bücher.example'],
	['ada@localhost'],
	['用户@例え.jp'],
])('the email %j is sent as it is', (text) => {
	expect(email(text)).toEqual([{ email: text }]);
});

test('an email is sent in composed form', () => {
	expect(email('zoe\u0308@example.com')).toEqual([{ email: 'zo\u00eb@example.com' }]);
});

test.each([
	['ada'],
	['ada@'],
	['@example.com'],
	['ada@@example.com'],
	['ada@example@com'],
	['ada lovelace@example.com'],
	['"ada lovelace"@example.com'],
	['ada@example .com'],
	['ada(home)@example.com'],
	['Ada (ada@example.com)'],
	['E-Mail: ada@example.com'],
	['ada@example.com:8080'],
	['ada@example.com/x'],
	['ada@example..com'],
	['ada@.com'],
	['ada＠example.com'],
	['o’brien@example.com'],
	['<ada@example.com'],
	['ada@example.com <Ada>'],
	['&lt;ada@example.com&gt;'],
	['ada@example.com\ufffd'],
	['ad\ufffda@example.com'],
	['Ada, <ada@example.com>'],
	['ada@[192.168.0.1]'],
	['https://example.com/@ada'],
	['#REF!'],
	['n/a'],
])('the email %j is refused', (text) => {
	expect(sent([{}, { email: text }])).toBe(`Participant 2 has no valid email: ${text}`);
});

test.each([
	[`${ADA}, ${BEN}`],
	[`${ADA}; ${BEN}`],
	[`${ADA} ${BEN}`],
	[`${ADA}/${BEN}`],
	[`Ada <${ADA}>, Ben <${BEN}>`],
	[`${BEN} <${ADA}>`],
	[`mailto:${ADA},${BEN}`],
])('the email %j is refused: it is two', (text) => {
	expect(email(text)).toBe(`Participant 1 has more than one email: ${text.slice(0, 50)}`);
});

const phone = (value: unknown) => sent([{ phoneNumber: value }]);

test.each([
	[PHONE, PHONE],
	[` ${PHONE}\u202c `, PHONE],
	[`'${PHONE}`, PHONE],
	[`="${PHONE}"`, PHONE],
	['tel:+41-44-668-18-00', '+41-44-668-18-00'],
	[441_234_567_890, '441234567890'],
	['(044) 668.18.00', '(044) 668.18.00'],
	['112', '112'],
	['020 7946 0000 ext. 12', '020 7946 0000 ext. 12'],
])('the phone number %j is sent as %j', (value, phoneNumber) => {
	expect(phone(value)).toEqual([{ phoneNumber }]);
});

test.each([
	['4.41E+11', CHANGED],
	['4,41E+11', CHANGED],
	['4.41e11', CHANGED],
	['441234567890.0', CHANGED],
	[4.41e21, CHANGED],
	['n/a', 'has no valid phone number'],
	['-', 'has no valid phone number'],
	['#ERROR!', 'has no valid phone number'],
	['ada1234@example.com', 'has no valid phone number'],
	['=+41446681800', 'has no valid phone number'],
	[`Mobile: ${PHONE}`, 'has no valid phone number'],
	[`${PHONE} (home)`, 'has no valid phone number'],
	[`${PHONE}, 079 123 45 67`, 'has more than one phone number'],
	[`${PHONE} ::: 079 123 45 67`, 'has more than one phone number'],
	['044 668 18 00 / 079 123 45 67', 'has more than one phone number'],
])('the phone number %j is refused: %s', (value, what) => {
	expect(phone(value)).toBe(`Participant 1 ${what}: ${String(value)}`);
});

test('a phone number in JSON that is written as a quantity has lost its digits', () => {
	expect(sent('[{ "phoneNumber": 4.41E+11 }]')).toBe(`Participant 1 ${CHANGED}: 4.41E+11`);
	expect(sent('[{ "phoneNumber": 441234567890 }]')).toEqual([{ phoneNumber: '441234567890' }]);
});

test.each([
	[true, true],
	['TRUE', true],
	[' Yes\u200b', true],
	[1, true],
	['1', true],
	[false, false],
	['False', false],
	['NO', false],
	[0, false],
	['0', false],
])('the flag %j is %j', (isAdmin, flag) => {
	expect(sent([{ email: ADA, isAdmin }])).toEqual([{ email: ADA, isAdmin: flag }]);
});

test.each([['x'], ['on'], ['ja'], [2], ['constructor'], [[true]]])(
	'the flag %j is refused',
	(isAdmin) => {
		const quoted = typeof isAdmin === 'object' ? JSON.stringify(isAdmin) : isAdmin;
		const message = `Is Admin of participant 1 is not true or false: ${quoted}`;
		expect(sent([{ email: ADA, isAdmin }])).toBe(message);
	},
);

const both = [{ email: ADA }, { email: BEN }];
const named = [
	{ email: ADA, name: 'Lovelace, Ada' },
	{ email: BEN, name: 'Ben Example' },
];

test.each<[string, unknown, IDataObject[]]>([
	['texts', [ADA, BEN], both],
	['JSON', ` ${JSON.stringify([ADA, BEN])}\n`, both],
	['JSON behind a byte order mark', `\ufeff${JSON.stringify(both)}`, both],
	['commas', `${ADA},${BEN}`, both],
	['semicolons, and one at the end', `${ADA}; ${BEN};`, both],
	['line breaks of Windows', `${ADA}\r\n\r\n${BEN}\r\n`, both],
	['links', `mailto:${ADA}; <${BEN}>`, both],
	['one address', ADA, [{ email: ADA }]],
	['one address in quotes', `"${ADA}"`, [{ email: ADA }]],
	['nothing', ' ', []],
	['what Outlook copies', `Lovelace, Ada <${ADA}>; Ben Example <${BEN}>`, named],
	['what Gmail copies', `"Lovelace, Ada" <${ADA}>, Ben Example <${BEN}>`, named],
	['commas everywhere', `Lovelace, Ada <${ADA}>, Ben Example <${BEN}>`, named],
	['texts with names', [`"Lovelace, Ada" <${ADA}>`, `Ben Example <${BEN}>`], named],
	['items of n8n', both.map((json) => ({ json, pairedItem: { item: 0 } })), both],
	['an item with a file', [{ json: { email: ADA }, binary: { photo: {} } }], [{ email: ADA }]],
	['keys of a spreadsheet', [{ '\ufeffEmail ': ADA, NAME: 'Ada' }], [{ email: ADA, name: 'Ada' }]],
	['the same key twice', [{ email: '', Email: ADA, EMAIL: ADA }], [{ email: ADA }]],
	['empty entries', [null, {}, '', { email: '\u200b' }, ADA], [{ email: ADA }]],
	['with a comma too many', 'ada@example.com,, ben@example.com', [{ email: ADA }, { email: BEN }]],
])('a list: %s', (_title, list, people) => {
	expect(sent(list)).toEqual(people);
});

test.each<[unknown, string]>([
	['Ada', 'Participant 1 has no valid email: Ada'],
	[`${ADA}\nname,email`, 'Participant 2 has no valid email: name,email'],
	[`Ada, ${BEN}`, `Participant 1 has no valid email: Ada, ${BEN}`],
	[`Ada\t${ADA}`, `Participant 1 has no valid email: Ada\t${ADA}`],
	[[{ json: both[0], email: ADA }], 'Participant 1 has unknown fields: json'],
	[[{ email: ADA, Email: BEN }], `Participant 1 has two fields email: ${ADA} and ${BEN}`],
	[[{}, 7], 'Participant 2 is not an object'],
	[{ email: ADA }, 'Participants (JSON) is not a list'],
	[[{}, null], 'Participants has entries, but all are empty'],
])('the list %j is refused', (list, message) => {
	expect(sent(list)).toBe(message);
});

test('each person is sent once, with the fields of all their entries, and a hint names them', () => {
	const { people, entries, hints } = read([
		{},
		{ email: ADA, isAdmin: false },
		{ name: 'Ben', phoneNumber: PHONE },
		{ email: `Ada <${ADA.toUpperCase()}>`, phoneNumber: '112 113', isAdmin: 'yes' },
		{ name: 'Cleo' },
		{ phoneNumber: '0041446681800' },
	]);
	expect(people).toEqual([
		{ email: ADA, name: 'Ada', phoneNumber: '112 113', isAdmin: true },
		{ name: 'Ben', phoneNumber: PHONE },
		{ name: 'Cleo' },
	]);
	expect(entries.map(({ label }) => label)).toEqual(
		[2, 3, 5].map((position) => `Participant ${position}`),
	);
	expect(hints).toEqual([
		`5 entries are 3 people: ${ADA} and ${PHONE} are there more than once. Each person is sent once, with the fields of all their entries.`,
	]);
});
