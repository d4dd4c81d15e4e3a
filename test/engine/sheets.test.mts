import type { IDataObject } from 'n8n-workflow';
import { containing, matching } from '../support/matchers.mts';
import { runAction } from './support/engine.mts';
import { by, json, type Received } from './support/faultServer.mts';

// Lists as Extract From File, Data Table, Google Sheets and Airtable give them. All people are made up.

interface Person {
	name?: string;
	email?: string;
	phoneNumber?: string;
}

interface Entered {
	name?: string;
	email?: string;
	phone?: string;
	groupBy?: string;
	/** Additional Fields > Is Admin. */
	admin?: string;
}

const bodyOf = ({ body }: Received) => JSON.parse(body) as { participantList: Person[] };

/** Whom Create invites, by collection request, the groups that come out, and what it says. */
async function invite(rows: IDataObject[], entered: Entered = {}) {
	const { name = '', email = '', phone = '', groupBy, admin } = entered;
	const run = await runAction({
		parameters: {
			resource: 'collectionRequest',
			operation: 'create',
			templateId: 't1',
			participantsMode: 'items',
			personName: name,
			personEmail: email,
			personPhoneNumber: phone,
			...(groupBy !== undefined && { oneRequestFor: 'group', groupBy }),
			additionalFields: admin === undefined ? {} : { isAdmin: admin },
		},
		answer: by((_request, index) => json(201, { _id: `r${index}` })),
		input: rows,
	});
	const people = run.requests.map((request) =>
		bodyOf(request).participantList.map(({ name, email, phoneNumber }) => ({
			name,
			email,
			phoneNumber,
		})),
	);
	const groups = [...new Set(run.json.flatMap(({ group }) => group ?? []))];
	const types = run.hints.map(({ type }) => type);
	return { ...run, people, groups, types, hints: run.hints.map(({ message }) => message) };
}

const ada = { name: 'Ada', email: 'ada@example.com' };
const ben = { name: 'Ben', email: 'ben@example.com' };
const columns = (names: string) => `Columns found by their headings: ${names}.`;

interface Sheet {
	rows: IDataObject[];
	entered?: Entered;
	people: Person[][];
	groups?: string[];
	hints?: unknown[];
}

test.each<[string, Sheet]>([
	[
		'blank rows at the end of a CSV file of Excel',
		{
			rows: [
				{ ...ada, class: '5a' },
				{ ...ben, class: '5b' },
				{ name: '', email: '', class: '' },
				{},
			],
			entered: { groupBy: 'class' },
			people: [[ada], [ben]],
			groups: ['5a', '5b'],
			hints: [
				'Nobody is invited for items 3 and 4: without a name, an email and a phone number, a row is left out.',
			],
		},
	],
	[
		'a class with nobody in it',
		{
			rows: [
				{ ...ada, class: '5a' },
				{ name: '', email: '', class: '5c' },
			],
			entered: { groupBy: 'class' },
			people: [[ada]],
			groups: ['5a'],
			hints: [containing('Nobody is invited for item 2'), 'Nobody of the group "5c" is invited.'],
		},
	],
	[
		'a blank row of a class with somebody in it',
		{
			rows: [
				{ ...ada, class: '5a' },
				{ name: '', email: '', class: '5a' },
			],
			entered: { groupBy: 'class' },
			people: [[ada]],
			groups: ['5a'],
			hints: [
				'Nobody is invited for item 2: without a name, an email and a phone number, a row is left out.',
			],
		},
	],
	[
		'headings with capitals: a phone number is not taken by itself',
		{
			rows: [{ Name: 'Ada', Email: 'ada@example.com', Phone: '+41 44 668 18 00' }],
			people: [[ada]],
			hints: [columns('"Name" and "Email"')],
		},
	],
	[
		'one heading with a capital',
		{
			rows: [ada, ben].map(({ name, email }) => ({ name, Email: email })),
			people: [[ada], [ben]],
			hints: [columns('"name" and "Email"')],
		},
	],
	[
		'an export of Outlook',
		{
			rows: [
				{
					'First Name': 'Ada',
					'Last Name': 'Lovelace',
					'E-mail Address': 'ada@example.com',
					'E-mail 2 Address': '',
				},
			],
			people: [[{ name: 'Ada Lovelace', email: 'ada@example.com' }]],
			hints: [columns('"First Name", "Last Name" and "E-mail Address"')],
		},
	],
	[
		'a full-width heading',
		{
			rows: [{ name: 'Ada', ｅｍａｉｌ: 'ada@example.com' }],
			people: [[ada]],
			hints: [columns('"name" and "ｅｍａｉｌ"')],
		},
	],
	[
		'a byte order mark in the first heading',
		{
			rows: [{ '\ufeffName': 'Ada', email: 'ada@example.com' }],
			entered: { name: '={{ $json.Name }}' },
			people: [[ada]],
		},
	],
	[
		'a group one level down',
		{
			rows: [{ ...ada, school: { class: '5a' } }],
			entered: { groupBy: 'school.class' },
			people: [[ada]],
			groups: ['5a'],
		},
	],
	[
		'Group By as text that looks like an expression',
		{
			rows: [{ ...ada, class: '5a' }],
			entered: { groupBy: '{{ $json.class }}' },
			people: [[ada]],
			groups: ['5a'],
		},
	],
	[
		'Group By in another case',
		{
			rows: [{ ...ada, Class: '5a' }],
			entered: { groupBy: ' class ' },
			people: [[ada]],
			groups: ['5a'],
		},
	],
	[
		'a lookup of Airtable',
		{
			rows: [{ Name: 'Ada', Mail: ['ada@example.com'] }],
			entered: { name: '={{ $json.Name }}', email: '={{ $json.Mail }}' },
			people: [[ada]],
		},
	],
	[
		'linked records of Airtable',
		{
			rows: [
				{ ...ada, class: ['rec1'] },
				{ ...ben, class: ['rec2'] },
			],
			entered: { groupBy: '={{ $json.class.filter(Boolean) }}' },
			people: [[ada], [ben]],
			groups: ['rec1', 'rec2'],
		},
	],
	[
		'a phone cell that is a number',
		{
			rows: [{ ...ada, phone: 41446681800 }],
			entered: { phone: '={{ $json.phone }}' },
			people: [[{ ...ada, phoneNumber: '41446681800' }]],
			hints: [containing('The phone number is a number for item 1: a plus or a zero in front')],
		},
	],
	[
		'full-width digits',
		{
			rows: [{ ...ada, phone: '０９０－１２３４－５６７８' }],
			entered: { phone: '={{ $json.phone }}' },
			people: [[{ ...ada, phoneNumber: '090-1234-5678' }]],
		},
	],
	[
		'Arabic digits, which are the same number',
		{
			rows: ['+٩٦٦٥٠١٢٣٤٥٦٧', '+966501234567'].map((phone) => ({ name: 'Sara', phone })),
			entered: { phone: '={{ $json.phone }}' },
			people: [[{ name: 'Sara', phoneNumber: '+966501234567' }]],
			hints: [containing('+966501234567 is there more than once'), containing('has no email')],
		},
	],
	[
		'full-width letters in an address',
		{ rows: [{ name: 'Ada', email: 'ａｄａ@example.com' }], people: [[ada]] },
	],
	[
		'U+200C, which is spelling',
		{
			rows: [{ email: 'علی\u200cرضا <ada@example.com>' }],
			people: [[{ name: 'علی\u200cرضا', email: 'ada@example.com' }]],
		},
	],
	[
		'a group as it was entered',
		{
			rows: [{ ...ada, class: ' Ba\u0308ren\u200b ' }],
			entered: { groupBy: 'class' },
			people: [[ada]],
			groups: ['Ba\u0308ren'],
		},
	],
	[
		'a class in two widths',
		{
			rows: [
				{ ...ada, class: '１年Ａ組' },
				{ ...ben, class: '1年A組' },
			],
			entered: { groupBy: 'class' },
			people: [[ada, ben]],
			groups: ['１年Ａ組'],
		},
	],
	[
		'two groups that only NFKC makes the same',
		{
			rows: [
				{ ...ada, class: '5²' },
				{ ...ben, class: '52' },
			],
			entered: { groupBy: 'class' },
			people: [[ada], [ben]],
			groups: ['5²', '52'],
		},
	],
	[
		'two classes that look alike',
		{
			rows: [
				{ ...ada, class: '5a' },
				{ ...ben, class: '5 a' },
			],
			entered: { groupBy: 'class' },
			people: [[ada], [ben]],
			groups: ['5a', '5 a'],
			hints: [containing('Group By has "5a" and "5 a", which differ only')],
		},
	],
	[
		'names joined of what is not there, and names that only look like it',
		{
			rows: [
				...['Ada NaN', 'null Ben', '[object Object]', 'NULL'],
				...['Null', 'NaNa', 'Arnull', 'nullo'],
			].map((name, index) => ({ name, email: `${index}@example.com` })),
			people: expect.anything() as never,
			hints: [containing('A part of Name is missing for items 1, 2, 3 and 4: as in "Ada NaN".')],
		},
	],
	[
		'a name joined of fields of which one is not there',
		{
			rows: [{ first: 'Ada', email: 'ada@example.com' }],
			entered: { name: "={{ $json.first + ' ' + $json.last }}" },
			people: [[{ ...ada, name: 'Ada undefined' }]],
			hints: [
				'A part of Name is missing for item 1: as in "Ada undefined". Correct the expression.',
			],
		},
	],
	[
		'a domain without a dot',
		{
			rows: [{ name: 'Ada', email: 'ada@intranet' }],
			people: [[{ name: 'Ada', email: 'ada@intranet' }]],
			hints: [containing('The domain of an address has no dot for item 1: as in ada@intranet')],
		},
	],
	[
		'an expression that finds nothing',
		{
			rows: [ada],
			entered: { name: '={{ $json.Full }}' },
			people: [[{ email: 'ada@example.com' }]],
			hints: ['Name finds nothing in any item. They have name and email.'],
		},
	],
	[
		'nulls of a data table',
		{
			rows: [
				{ ...ada, id: 1 },
				{ name: null, email: ben.email, id: 2 },
			],
			people: [[ada], [{ email: ben.email }]],
		},
	],
	[
		'brothers and sisters with one address',
		{
			rows: [ada, ben, { name: 'Cleo', email: 'ADA@example.com' }],
			people: [[ada], [ben]],
			hints: [containing('ada@example.com (Ada, Cleo) is there more than once. Each person')],
		},
	],
	[
		'the name of a company beside first and last name',
		{
			rows: [{ Name: 'ACME', 'First Name': 'Ada', 'Last Name': 'Lovelace', email: ada.email }],
			people: [[{ ...ada, name: 'Ada Lovelace' }]],
			hints: [columns('"Name", "First Name", "Last Name" and "email"')],
		},
	],
	[
		'a whole name beside first and last name, which is written without a space',
		{
			rows: [{ displayName: '山田太郎', givenName: '太郎', surname: '山田', mail: ada.email }],
			people: [[{ ...ada, name: '山田太郎' }]],
			hints: [columns('"displayName", "givenName", "surname" and "mail"')],
		},
	],
	[
		'"Name" for the family name',
		{
			rows: [
				{ Name: 'Hannah', Vorname: 'Anna', email: ada.email },
				{ Name: 'Anna Hannah', Vorname: 'Anna', email: ben.email },
			],
			people: [[{ ...ada, name: 'Anna Hannah' }], [{ ...ben, name: 'Anna Hannah' }]],
			hints: [columns('"Name", "Vorname" and "email"')],
		},
	],
	[
		'a name in three columns',
		{
			rows: [
				{ Roepnaam: 'Jan', Tussenvoegsel: 'van der', Achternaam: 'Berg', email: ada.email },
				{ Roepnaam: 'Piet', Tussenvoegsel: '', Achternaam: 'Smit', email: ben.email },
			],
			people: [[{ ...ada, name: 'Jan van der Berg' }], [{ ...ben, name: 'Piet Smit' }]],
			hints: [columns('"Roepnaam", "Tussenvoegsel", "Achternaam" and "email"')],
		},
	],
	[
		'a first name and two family names',
		{
			rows: [{ Nombre: 'Ada', 'Apellido 1': 'Byron', 'Apellido 2': 'King', correo: ada.email }],
			people: [[{ ...ada, name: 'Ada Byron King' }]],
			hints: [columns('"Nombre", "Apellido 1", "Apellido 2" and "correo"')],
		},
	],
	[
		'names under a heading that says something else',
		{
			rows: [{ email: ada.email, 'Your name': 'Ada' }],
			people: [[{ email: ada.email }]],
			hints: [
				'No column with names was found, so none are sent. The input items have email and Your name: drag one of them into Name.',
			],
		},
	],
	[
		'nothing but addresses, phone numbers and groups',
		{
			rows: [{ contact: ada.email, phone: '112', class: '5a' }],
			entered: { email: 'contact', phone: 'phone', groupBy: 'class' },
			people: [[{ email: ada.email, phoneNumber: '112' }]],
			groups: ['5a'],
		},
	],
	[
		'nothing but names',
		{
			rows: [{ Person: 'Ada' }],
			entered: { name: 'Person' },
			people: [[{ name: 'Ada' }]],
			hints: [containing('Somebody has no email for item 1')],
		},
	],
	[
		'two columns with headings for an email, of which one is empty',
		{
			rows: [{ name: 'Ada', Email: '', 'E-Mail': ada.email }],
			people: [[ada]],
			hints: [columns('"name" and "E-Mail"')],
		},
	],
	[
		'two columns that look alike, of which one is called exactly so',
		{
			rows: [{ ...ada, Class: 'x', class: '5a' }],
			entered: { groupBy: 'class' },
			people: [[ada]],
			groups: ['5a'],
		},
	],
	[
		'records of Airtable',
		{
			rows: [
				{
					id: 'rec1',
					createdTime: '2026-01-05',
					fields: { Name: 'Ada', Email: ada.email, Class: ['5a'] },
				},
				{ id: 'rec2', createdTime: '2026-01-05', fields: {} },
				{ id: 'rec3', createdTime: '2026-01-05', fields: { Email: ben.email, Class: ['5b'] } },
			],
			entered: { groupBy: '={{ $json.fields.Class }}' },
			people: [[ada], [{ email: ben.email }]],
			groups: ['5a', '5b'],
			hints: [columns('"Name" and "Email"'), containing('Nobody is invited for item 2')],
		},
	],
	[
		'fields of the item beside ones that are inside of it',
		{
			rows: [{ ...ada, fields: { name: 'Countess', email: ben.email, class: '5a' } }],
			entered: { groupBy: 'class' },
			people: [[ada]],
			groups: ['5a'],
		},
	],
	[
		'fields inside of objects, by their paths',
		{
			rows: [{ properties: { email: { value: ada.email } }, name: 'Ada' }],
			entered: { name: 'name', email: 'properties.email.value' },
			people: [[ada]],
		},
	],
	[
		'cells that a file marks as text',
		{
			rows: [
				{
					First: '="Ada"',
					Last: '="Byron"',
					Mail: `="${ada.email}"`,
					class: '="5a"',
					phone: '="112"',
				},
				{ First: '="Ben"', Mail: ben.email, class: '="5b"' },
			],
			entered: { groupBy: 'class', phone: 'phone' },
			people: [[{ ...ada, name: 'Ada Byron', phoneNumber: '112' }], [ben]],
			groups: ['5a', '5b'],
			hints: [columns('"First", "Last" and "Mail"')],
		},
	],
	[
		'an address joined of what is not there',
		{
			rows: [ada],
			entered: { email: "={{ $json.user + '@school.example' }}" },
			people: [[{ name: 'Ada', email: 'undefined@school.example' }]],
			hints: [containing('A part of Email is missing for item 1: as in "undefined@school.')],
		},
	],
	[
		'a file in the wrong encoding',
		{
			rows: [
				{ 'Pr\ufffdnom': 'Zo\ufffd', Nom: 'M\ufffdller', email: ada.email },
				{ Nom: 'MÃ¼ller', email: ben.email },
			],
			people: [[{ ...ada, name: 'M\ufffdller' }], [{ ...ben, name: 'MÃ¼ller' }]],
			hints: [
				columns('"Nom" and "email"'),
				containing('A letter of Name was lost for items 1 and 2: as in "M\ufffdller"'),
			],
		},
	],
	[
		'a row with a total',
		{
			rows: [ada, { name: 'Total: 1', email: '' }],
			people: [[ada], [{ name: 'Total: 1' }]],
			hints: [containing('Somebody has no email for item 2: they are invited')],
		},
	],
])('%s', async (_title, { rows, entered, people, groups = [], hints = [] }) => {
	const run = await invite(rows, entered);
	expect(run.error).toBeUndefined();
	expect([run.people, run.hints, run.groups]).toEqual([people, hints, groups]);
});

test('which columns were found is information, that people have no names is a warning', async () => {
	const { hints, types } = await invite([{ Email: 'ada@example.com', age: '36' }]);
	expect(hints).toEqual([columns('"Email"'), containing('No column with names was found')]);
	expect(types).toEqual(['info', 'warning']);
});

test('an expression for Is Admin that finds nothing is a hint', async () => {
	const { hints } = await invite([ada], { admin: '={{ $json.boss }}' });
	expect(hints).toEqual(['Is Admin finds nothing in any item. They have name and email.']);
});

test.each<[string, IDataObject[], Entered, message: unknown]>([
	[
		'two columns that could be it, of which one is empty in the first rows',
		[
			{ Email: 'ada@example.com' },
			{ 'E-Mail': '' },
			{ Email: '', 'E-Mail': 'parents@example.com' },
		],
		{},
		'Email could be in "Email" and "E-Mail"',
	],
	[
		'addresses in columns that are not called so, although another one is',
		[{ name: 'Ada', email: '', Mother: 'm@example.com', Father: ['f@example.com'], Note: '@' }],
		{ name: 'name' },
		'Email could be in "Mother" and "Father"',
	],
	[
		'no such column',
		[{ Person: 'Ada', Contact: '+41 44 668 18 00' }],
		{},
		'No column with email addresses was found: the input items have Person and Contact',
	],
	[
		'a part of a name that is no text, and one that is too long',
		[
			{ first: { en: 'Ada' }, last: 'Byron', email: ada.email },
			{ first: 'Ben', last: 'x'.repeat(501), email: ben.email },
		],
		{},
		'Name of item 1 is not text. Name of item 2 is too long: it has 501 characters',
	],
	[
		'a Group By that fails for all items',
		[ada, ben],
		{ groupBy: "={{ $('Nowhere').item.json.class }}" },
		"Item 1: Referenced node doesn't exist. Item 2: Referenced node doesn't exist",
	],
	[
		'an expression that fails for one item',
		[ada, { ...ben, from: 'Nowhere' }],
		{ email: '={{ $json.from ? $($json.from).item.json.email : $json.email }}' },
		"Item 2: Referenced node doesn't exist",
	],
	[
		'a field inside of a text',
		[{ ...ada, school: { class: '5a' } }],
		{ groupBy: 'school.class.name' },
		'No input item has a field "school.class.name": they have name, email and school',
	],
	[
		'a heading that differs in a vowel sign',
		[{ ...ada, กี: '5a' }],
		{ groupBy: 'กู' },
		'No input item has a field "กู": they have name, email and กี',
	],
	[
		'a heading without letters that is not there',
		[{ ...ada, '🙂': '5a' }],
		{ groupBy: '🏫' },
		'No input item has a field "🏫": they have name, email and 🙂',
	],
	[
		'a group joined of what is not there',
		[{ ...ada, class: '5a' }, ben],
		{ groupBy: "={{ 'Class ' + $json.class }}" },
		'A part of Group By of item 2 is missing: Class undefined',
	],
	[
		'formulas, and expressions that nobody has evaluated',
		[
			{ ...ada, name: '=A2&" "&B2' },
			{ ...ben, name: '{{ $json.first }} {{ $json.last }}' },
		],
		{},
		'Name of item 1 is a formula: =A2&" "&B2. Name of item 2 is an expression that n8n has not evaluated: {{ $json.first }} {{ $json.last }}',
	],
	[
		'a typing error in Group By',
		[ada, ben].map((person) => ({ ...person, class: '5a' })),
		{ groupBy: 'clas' },
		'No input item has a field "clas": they have name, email and class',
	],
	[
		'errors of a spreadsheet',
		[
			{ ...ada, name: '#N/A', class: '5a' },
			{ ...ben, name: '#NAME?', class: '#N/A' },
			{ ...ben, name: '#NV', class: '5a' },
			{ ...ben, class: '#¡REF!' },
			{ name: 'Cleo', email: '#N/D', class: '5a' },
			{ ...ben, name: 'Err:502', class: '5a' },
			{ ...ben, name: '#GETTING_DATA', class: '5a' },
			{ ...ben, name: 'Loading...', class: '5a' },
		],
		{ groupBy: 'class' },
		[
			'Name of item 1 is an error of the spreadsheet: #N/A',
			'Group By of item 2 is an error of the spreadsheet: #N/A',
			'Name of item 3 is an error of the spreadsheet: #NV',
			'Group By of item 4 is an error of the spreadsheet: #¡REF!',
			'Email of item 5 is an error of the spreadsheet: #N/D',
			'Name of item 6 is an error of the spreadsheet: Err:502',
			'Name of item 7 is an error of the spreadsheet: #GETTING_DATA',
			'Name of item 8 is an error of the spreadsheet: Loading...',
		].join('. '),
	],
	[
		'what is no address alone',
		['Ada|ada@example.com', 'email=ben@example.com', '.cleo@example.com', 'dan@-example.com'].map(
			(email) => ({ email }),
		),
		{},
		[
			'Item 1 has no valid email: Ada|ada@example.com',
			'Item 2 has no valid email: email=ben@example.com',
			'Item 3 has no valid email: .cleo@example.com',
			'Item 4 has no valid email: dan@-example.com',
		].join('. '),
	],
	[
		'a group in an item whose list has several',
		[{ ...ada, class: ['5a', '5b'] }],
		{ groupBy: 'class' },
		'Group By of item 1 is not text',
	],
])('nothing is created: %s', async (_title, rows, entered, message) => {
	const { error, sent } = await invite(rows, entered);
	expect([error?.message, sent]).toEqual([message, 0]);
	expect(error?.description).toEqual(matching(/./));
});
