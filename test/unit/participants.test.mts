import type { IDataObject, NodeOperationError } from 'n8n-workflow';
import { readPlannedRequests } from '../../nodes/DataCollection/people/plannedRequests.ts';
import type { Run } from '../../nodes/DataCollection/shared/operation.ts';

// Which texts are the same address: see person.test.mts.

/** What Create reads of these input items. */
async function readItems(rows: IDataObject[], parameters: IDataObject) {
	const context = {
		getInputData: () => rows.map((json) => ({ json })),
		getNodeParameter: (name: string, _item: number, otherwise: unknown) =>
			parameters[name] ?? otherwise,
		getNode: () => ({ name: 'Node', type: 'x', typeVersion: 1, parameters }),
		continueOnFail: () => false,
	};
	const hints: string[] = [];
	const run: unknown = { context, hint: (message: string) => void hints.push(message) };
	return { results: await readPlannedRequests(run as Run, []), hints };
}

/** What Create makes of a value in Participants (JSON): the people that it sends, and what it says. */
async function read(participantsJson: unknown) {
	const parameters = { participantsMode: 'json', participantsJson } as IDataObject;
	const { results, hints } = await readItems([{}], parameters);
	const [result] = results;
	if (result?.ok !== true) throw result?.error as NodeOperationError;
	const people = result.value.people.map(({ person }) => person);
	return { people, hints };
}

/** The people that are sent for a list, or the message. */
async function sent(list: unknown): Promise<unknown> {
	try {
		return (await read(list)).people;
	} catch (error) {
		return (error as NodeOperationError).message;
	}
}

test.each<[why: string, ...emails: string[]]>([
	['a part is missing', 'ada', 'ada@', '@example.com', 'n/a', '#REF'],
	['two @', 'ada@@example.com', 'ada@example@com'],
	['a space', 'ada lovelace@example.com', '"ada lovelace"@example.com', 'ada@example .com'],
	['more than an address', 'ada(home)@example.com', 'Ada (ada@example.com)', 'ada@example.com/x'],
	['a colon', 'E-Mail: ada@example.com', 'ada@example.com:8080'],
	['a domain with a part missing', 'ada@example..com', 'ada@.com', 'ada@[192.168.0.1]'],
	['what only looks right', 'ada＠example.com', 'o’brien@example.com'],
	['half of a name', '<ada@example.com', 'ada@example.com <Ada>', 'Ada, <ada@example.com>'],
	['a lost character', 'ad\ufffda@example.com', 'ada@example.com\ufffd', '&lt;ada@example.com&gt;'],
	['a web address', 'https://example.com/@ada'],
	['255 characters', `${'a'.repeat(243)}@example.com`],
])('an email is refused: %s', async (_why, ...emails) => {
	for (const email of emails) {
		const shown = email.slice(0, 50);
		expect(await sent([{}, { email }])).toBe(`Participant 2 has no valid email: ${shown}`);
	}
});

test.each([
	'ada@example.com, ben@example.com',
	'ada@example.com ben@example.com',
	'ada@example.com/ben@example.com',
	'Ada <ada@example.com>, Ben <ben@example.com>',
	'ben@example.com <ada@example.com>',
	'mailto:ada@example.com,ben@example.com',
])('the email %j is refused: it is two', async (email) => {
	const message = `Participant 1 has more than one email: ${email.slice(0, 50)}`;
	expect(await sent([{ email }])).toBe(message);
});

test('the name beside an address is sent, too, unless another one is entered', async () => {
	const email = 'Ada <ada@example.com>';
	const people = [{ email: 'ada@example.com', name: 'Ada' }];
	expect([await sent([email]), await sent([{ email }])]).toEqual([people, people]);
	expect(await sent([{ email, name: 'Countess' }])).toEqual([{ ...people[0], name: 'Countess' }]);
});

test.each([
	[' +41 44 668 18 00\u202c ', '+41 44 668 18 00'],
	["'+41 44 668 18 00", '+41 44 668 18 00'],
	['="+41 44 668 18 00"', '+41 44 668 18 00'],
	['tel:+41-44-668-18-00', '+41-44-668-18-00'],
	[441_234_567_890, '441234567890'],
	['(044) 668.18.00', '(044) 668.18.00'],
	['112', '112'],
	['01.02.03.04.05', '01.02.03.04.05'],
	['2026-112-612', '2026-112-612'],
	['020 7946 0000 ext. 12', '020 7946 0000 ext. 12'],
	['[{ "phoneNumber": 441234567890 }]', '441234567890'],
])('the phone number %j is sent as %j', async (entered, phoneNumber) => {
	const list = String(entered).startsWith('[') ? entered : [{ phoneNumber: entered }];
	expect(await sent(list)).toEqual([{ phoneNumber }]);
});

test.each<[what: string, ...entered: unknown[]]>([
	[
		'has a phone number that looks like a number that a spreadsheet has changed',
		...['4.41E+11', '4,41E+11', '4.41e11', '441234567890.0', 4.41e21],
	],
	['has no valid phone number', 'n/a', '-', 'ada1234@example.com'],
	['has no valid phone number', '2026-11-26', '2026-11-26T10:00:00Z', '26.11.2026', '1/2/1999'],
	['has no valid phone number', 'Mobile: 044 668 18 00', '044 668 18 00 (home)'],
	[
		'has more than one phone number',
		'044 668 18 00, 079 123 45 67',
		'044 668 18 00 ::: 079 123 45',
	],
	['has more than one phone number', '044 668 18 00 / 079 123 45 67', '668180; 668181'],
])('a phone number is refused: it %s', async (what, ...entered) => {
	for (const phoneNumber of entered) {
		expect(await sent([{ phoneNumber }])).toBe(`Participant 1 ${what}: ${String(phoneNumber)}`);
	}
});

test.each<[flag: boolean, ...entered: unknown[]]>([
	[true, true, 'TRUE', ' Yes\u200b', 1, '1'],
	[false, false, 'False', 'NO', 0, '0'],
])('an admin is %j if the entry says %j', async (flag, ...entered) => {
	const people = await Promise.all(entered.map((isAdmin) => sent([{ name: 'Ada', isAdmin }])));
	expect(people).toEqual(entered.map(() => [{ name: 'Ada', isAdmin: flag }]));
});

test.each(['x', 'on', 2, 'constructor', [true, 1]])(
	'whether somebody is an admin is not %j',
	async (isAdmin) => {
		const shown = typeof isAdmin === 'object' ? '[true,1]' : isAdmin;
		const message = `Is Admin of participant 1 is not true or false: ${shown}`;
		expect(await sent([{ name: 'Ada', isAdmin }])).toBe(message);
	},
);

const ada = { email: 'ada@example.com' };
const ben = { email: 'ben@example.com' };
const named = [
	{ ...ada, name: 'Lovelace, Ada' },
	{ ...ben, name: 'Ben Example' },
];

test.each<[string, unknown, IDataObject[]]>([
	['JSON behind a byte order mark', '\ufeff["ada@example.com", "ben@example.com"]\n', [ada, ben]],
	['commas, one too many', 'ada@example.com,, ben@example.com', [ada, ben]],
	['semicolons, and one at the end', 'ada@example.com; ben@example.com;', [ada, ben]],
	['line breaks of Windows', 'ada@example.com\r\n\r\nben@example.com\r\n', [ada, ben]],
	['links', 'mailto:ada@example.com; <ben@example.com>', [ada, ben]],
	['one address in quotes', '"ada@example.com"', [ada]],
	['nothing', ' ', []],
	['what Outlook copies', 'Lovelace, Ada <ada@example.com>; Ben Example <ben@example.com>', named],
	['what Gmail copies', '"Lovelace, Ada" <ada@example.com>, Ben Example <ben@example.com>', named],
	[
		'quotes in a name in quotes',
		'"Ada \\"A; L\\"" <ada@example.com>; ben@example.com',
		[{ ...ada, name: 'Ada "A; L"' }, ben],
	],
	['commas everywhere', 'Lovelace, Ada <ada@example.com>, Ben Example <ben@example.com>', named],
	['items of n8n', [{ json: ada, binary: {}, pairedItem: { item: 0 } }, { json: ben }], [ada, ben]],
	['keys of a spreadsheet', [{ '\ufeffEmail ': ada.email, NAME: 'A' }], [{ ...ada, name: 'A' }]],
	['lists of one', [{ name: ['A'], email: [ada.email] }], [{ ...ada, name: 'A' }]],
	['as much as fits', [{ name: 'x'.repeat(500) }], [{ name: 'x'.repeat(500) }]],
	['the same key twice', [{ email: '', Email: ada.email, EMAIL: ada.email }], [ada]],
	['empty entries', [null, {}, '', { email: '\u200b' }, ada.email], [ada]],
])('a list: %s', async (_title, list, people) => {
	expect(await sent(list)).toEqual(people);
});

test.each<[unknown, string]>([
	['ada@example.com\nname,email', 'Participant 2 has no valid email: name,email'],
	['Ada, ben@example.com', 'Participant 1 has no valid email: Ada, ben@example.com'],
	['Ada\tada@example.com', 'Participant 1 has no valid email: Ada\tada@example.com'],
	[[{ json: ada, ...ada }], 'Participant 1 has unknown fields: json'],
	[[{ ...ada, Email: 'b' }], 'Participant 1 has two fields email: ada@example.com and b'],
	[[{}, 7], 'Participant 2 is not an object'],
	[ada, 'Participants (JSON) is not a list'],
	[[{}, null], 'Participants has entries, but all are empty'],
])('the list %j is refused', async (list, message) => {
	expect(await sent(list)).toBe(message);
});

test('each person is sent once, with the first value of each field, and a hint names them', async () => {
	const { people, hints } = await read([
		{},
		{ email: 'ada@example.com', isAdmin: false },
		{ name: 'Ben', phoneNumber: '+41 44 668 18 00' },
		{ email: 'Ada <ADA@EXAMPLE.COM>', phoneNumber: '112 113', isAdmin: 'yes' },
		{ name: 'Cleo' },
		{ phoneNumber: '0041446681800' },
	]);
	expect(people).toEqual([
		{ email: 'ada@example.com', name: 'Ada', phoneNumber: '112 113', isAdmin: true },
		{ name: 'Ben', phoneNumber: '+41 44 668 18 00' },
		{ name: 'Cleo' },
	]);
	expect(hints).toEqual([
		'ada@example.com and +41 44 668 18 00 are there more than once. Each person is invited once, with the first value of each field.',
	]);
});

test.each(['a', '"', ' ', 'mailto:'])(
	'1 MB of %j in a field of 1,000 people is refused, and holds nothing up',
	async (part) => {
		const cell = Buffer.alloc(1_000_000, part).toString();
		const parameters = {
			participantsMode: 'items',
			oneRequestFor: 'group',
			groupBy: 'class',
			personPhoneNumber: 'phone',
		};
		for (const field of ['name', 'email', 'phone', 'class']) {
			const rows = Array.from({ length: 1000 }, (_, index) => {
				const row = { name: 'Ada', email: `${index}@example.com`, phone: '112', class: '5a' };
				return { ...row, [field]: cell };
			});
			await expect(readItems(rows, parameters)).rejects.toThrow('is too long: it has 1000000');
		}
	},
);
