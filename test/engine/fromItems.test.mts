import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { clock } from '../../nodes/DataCollection/basics/clock.ts';
import { containing } from '../support/matchers.mts';
import { runAction, type ActionRun } from './support/engine.mts';
import { by as choose, json, type Answer, type Received } from './support/faultServer.mts';

// Create, with Specify Participants on From Input Items: each input item is one person. The service names
// each collection request after the email of the first person in it.

const bodyOf = ({ body }: Received) =>
	JSON.parse(body) as { participantList: Array<{ email: string }> };
const emailsOf = (request: Received) => bodyOf(request).participantList.map(({ email }) => email);
const created: Answer = choose((request) => json(201, { _id: `of ${emailsOf(request)[0]}` }));

/** Creates from these rows; `links` has what came of which input item. */
async function create(
	rows: IDataObject[],
	parameters: INodeParameters = {},
	more: Partial<ActionRun> = {},
) {
	const own = { resource: 'collectionRequest', operation: 'create', templateId: 't1' };
	const run = await runAction({
		parameters: { ...own, participantsMode: 'items', ...parameters },
		answer: created,
		input: rows,
		...more,
	});
	const links = run.items.map(({ json: { requestId, email, error }, pairedItem }) => [
		(pairedItem as { item: number }).item,
		error ?? `${email as string} ${requestId as string}`,
	]);
	const hints = run.hints.map(({ message }) => message);
	return { ...run, links, hints, sentEmails: run.requests.map(emailsOf) };
}

const together = { oneRequestFor: 'all' };
const by = (groupBy: string) => ({ oneRequestFor: 'group', groupBy });
const byClass = by('={{ $json.class }}');
const continueOnFail = { onError: 'continueRegularOutput' } as const;
const CLASSES = [
	{ email: 'a1@x.ch', class: '3a' },
	{ email: 'b1@x.ch', class: '3b' },
	{ email: 'a2@x.ch', class: '3a' },
	{ email: 'b2@x.ch', class: ' 3b ' },
];

test('all input items are the people of one collection request, each linked to its item', async () => {
	const rows = [
		{ name: 'Ada', email: 'Ada L <ada@x.ch>', phoneNumber: 441234567, more: 1 },
		{ name: '', email: ' ', more: 2 },
		{ name: 'Ben', email: 'ben@x.ch' },
	];
	const run = await create(rows, { ...together, personPhoneNumber: 'phoneNumber' });
	expect(run.requests.map(bodyOf)).toEqual([
		{
			templateId: 't1',
			participantList: [
				{ name: 'Ada', email: 'ada@x.ch', phoneNumber: '441234567', isAdmin: false },
				{ name: 'Ben', email: 'ben@x.ch', isAdmin: false },
			],
			minimumParticipants: 2,
			maximumParticipants: 10,
		},
	]);
	expect(run.links).toEqual([
		[0, 'ada@x.ch of ada@x.ch'],
		[2, 'ben@x.ch of ada@x.ch'],
	]);
	expect(run.hints).toEqual([
		'The phone number is a number for item 1: a plus or a zero in front of it is lost. Format the column as text in the spreadsheet, and enter the phone numbers again.',
		'Nobody is invited for item 2: without a name, an email and a phone number, a row is left out.',
	]);
});

test.each(['={{ $json.class }}', 'class'])(
	'Group By %s makes one for each value, in the order of their first items',
	async (groupBy) => {
		const run = await create(CLASSES, {
			...by(groupBy),
			templateId: '={{ $itemIndex < 2 ? "t1" : " t1 " }}',
			additionalFields: { maximumParticipants: '={{ 5 + $itemIndex }}' },
		});
		expect(run.links).toEqual([
			[0, 'a1@x.ch of a1@x.ch'],
			[2, 'a2@x.ch of a1@x.ch'],
			[1, 'b1@x.ch of b1@x.ch'],
			[3, 'b2@x.ch of b1@x.ch'],
		]);
		expect(run.json.map(({ group }) => group)).toEqual(['3a', '3a', '3b', '3b']);
		expect(run.requests.map(bodyOf)).toMatchObject(
			[5, 6].map((maximumParticipants) => ({ templateId: 't1', maximumParticipants })),
		);
		expect([run.sent, run.hints]).toEqual([2, []]);
	},
);

test('the fields may come from anywhere in the item', async () => {
	const run = await create([{ Person: { Mail: 'ada@x.ch', Boss: 'yes' }, Year: 2026 }], {
		personEmail: '={{ $json.Person.Mail }}',
		additionalFields: { isAdmin: '={{ $json.Person.Boss }}' },
		...by('={{ $json.Year }}'),
		output: 'collectionRequest',
	});
	const [body] = run.requests.map(bodyOf);
	expect(body).toMatchObject({ participantList: [{ email: 'ada@x.ch', isAdmin: true }] });
	expect(run.items).toMatchObject([
		{ json: { _id: 'of ada@x.ch', group: '2026' }, pairedItem: { item: 0 } },
	]);
});

describe('what is wrong', () => {
	const bad = [
		...CLASSES,
		{ email: 'no address', class: '3a' },
		{ email: 'c1@x.ch', class: '3c' },
		{ email: '+41', class: '3a' },
		{ email: 'd1@x.ch; d2@x.ch', class: '3d' },
		{ email: 'e1@x.ch', class: ' ' },
		{ email: 'e2@x.ch' },
	];
	const a = 'Item 5 has no valid email: no address. Item 7 has no valid email: +41';

	test('is named for all items at once, and nothing is created', async () => {
		const { error, sent } = await create(bad, byClass);
		expect(error?.message).toBe(
			`${a}. Item 8 has more than one email: d1@x.ch; d2@x.ch. Group By of item 9 is empty. Group By of item 10 is empty`,
		);
		expect([error?.context.itemIndex, sent]).toEqual([4, 0]);
	});

	test('with On Error: Continue, fails its group, and the others are created', async () => {
		const run = await create(bad, byClass, { settings: continueOnFail });
		expect(run.sentEmails).toEqual([['b1@x.ch', 'b2@x.ch'], ['c1@x.ch']]);
		expect(run.links).toEqual([
			[0, a],
			[2, a],
			[4, a],
			[6, a],
			[1, 'b1@x.ch of b1@x.ch'],
			[3, 'b2@x.ch of b1@x.ch'],
			[5, 'c1@x.ch of c1@x.ch'],
			[7, 'Item 8 has more than one email: d1@x.ch; d2@x.ch'],
			[8, 'Group By of item 9 is empty'],
			[9, 'Group By of item 10 is empty'],
		]);
		expect(run.hints).toEqual([]);
	});

	test.each<[string, INodeParameters, IDataObject[]]>([
		[
			'Template ID is not the same for all items of the group "3b": item 2 has t1, item 4 has t3',
			{ ...byClass, templateId: '=t{{ $json.class === "3a" ? 0 : $itemIndex }}' },
			CLASSES,
		],
		[
			'Child Account ID is not the same for all items: item 1 has c0, item 2 has c1',
			{ ...together, additionalFields: { childAccountId: '=c{{ $itemIndex }}' } },
			CLASSES,
		],
		[
			'Child Account ID is not the same for all items: item 1 has "", item 2 has c2',
			{ ...together, additionalFields: { childAccountId: '={{ $json.account || "" }}' } },
			[{ email: 'a@x.ch' }, { email: 'b@x.ch', account: 'c2' }],
		],
		[
			'Child Account ID is not the same for all items: item 1 has c1, item 2 has ""',
			{ ...together, additionalFields: { childAccountId: '={{ $json.account || "" }}' } },
			[{ email: 'a@x.ch', account: 'c1' }, { email: 'b@x.ch' }],
		],
		['No input item has a name, an email or a phone number', {}, [{ mail: ' ' }, {}]],
		['Group By is empty', by('='), CLASSES],
		['Email of item 2 is not text', {}, [{ email: 'a@x.ch' }, { email: { of: 'b' } }]],
		['Group By of item 1 is not text', by('={{ [$json.class, 1] }}'), CLASSES.slice(0, 1)],
		[
			'Group By finds nothing in any item: they have email and class',
			by('={{ $json.room }}'),
			CLASSES,
		],
	])('%s', async (message, parameters, rows) => {
		const { error, sent } = await create(rows, parameters);
		expect([error?.message, sent]).toEqual([message, 0]);
	});

	test('what the service refuses fails the whole group', async () => {
		const refused = json(400, { message: 'participantList.1.email is not allowed' });
		const answer = choose((request) => (emailsOf(request).includes('b2@x.ch') ? refused : created));
		const { items } = await create(CLASSES, byClass, { answer, settings: continueOnFail });
		const failed = {
			error: 'The service refused the request (HTTP 400)',
			message: containing('participantList.1.email is not allowed'),
		};
		expect(items).toMatchObject([
			{ json: { email: 'a1@x.ch' }, pairedItem: { item: 0 } },
			{ json: { email: 'a2@x.ch' }, pairedItem: { item: 2 } },
			{ json: failed, pairedItem: { item: 1 } },
			{ json: failed, pairedItem: { item: 3 } },
		]);
		const { error } = await create(CLASSES, byClass, { answer });
		expect(error?.message).toBe(failed.error);
		expect(error?.description).not.toContain('did not succeed either');
	});
});

test('nobody is said not to be invited who has only a name or a phone number', async () => {
	const parameters = { personName: 'n', personPhoneNumber: 'p', output: 'collectionRequest' };
	const { hints, sent } = await create([{ n: 'Ada' }, { p: '112' }], parameters, {
		answer: json(201, { _id: 'r' }),
	});
	expect([hints, sent]).toEqual([[], 2]);
});

const inOtherModes = {
	participantsMode: 'json',
	participantsJson: '={{ $json.alone ? [$json.alone] : ["a@x.ch", "b@x.ch"] }}',
};
test.each<[string, INodeParameters, Partial<ActionRun>]>([
	[
		'Group By has "3 a" and "3  A", which differ only in case, spaces or dashes. Each has a collection request of its own.',
		by('={{ ["3 a", "3  A"][$itemIndex] }}'),
		{ input: [{ email: 'a@x.ch' }, { email: 'b@x.ch' }] },
	],
	[
		'Somebody has no email for items 2 and 3: they are invited, and they count for completion, but an email node after this one will stop at them. Leave them out before this node, or bring them the guest link in another way.',
		together,
		{ input: [{ name: 'Ada', email: 'a@x.ch' }, { name: 'Ben' }, { name: 'Cleo' }] },
	],
	[
		'The same people are invited for items 1 and 2: each of these items makes a collection request of its own. To make one of all input items, set Specify Participants to From Input Items.',
		inOtherModes,
		{ input: [{}, {}, { alone: 'c@x.ch' }, { alone: 'c@x.ch' }] },
	],
	[
		'Name of participant 2 finds nothing in any item.',
		{
			participantsMode: 'fields',
			participants: {
				participant: [
					{ name: '={{ $json.first }}', email: '={{ $json.email }}', phoneNumber: '' },
					{ name: '={{ $json.second }}', email: 'c@x.ch', phoneNumber: '' },
				],
			},
		},
		{ input: [{ first: 'Ada', email: 'a@x.ch' }, { email: 'b@x.ch' }] },
	],
	[
		'Name of the participants finds nothing in any item.',
		{ ...inOtherModes, participantsJson: '={{ [{ name: $json.nme, email: $json.email }] }}' },
		{
			input: [
				{ name: 'Ada', email: 'a@x.ch' },
				{ name: 'Ben', email: 'b@x.ch' },
			],
		},
	],
])('the hint "%s"', async (hint, parameters, more) => {
	expect((await create([], parameters, more)).hints).toEqual([hint]);
});

test('Execute Once is refused: only the person of the first item would be invited', async () => {
	const input = [{ email: 'a@x.ch' }, { email: 'b@x.ch' }];
	const { error, sent } = await create(input, {}, { settings: { executeOnce: true } });
	expect([error?.message, sent]).toEqual(['Execute Once cannot be used with this operation', 0]);
});

test('of many rows, those that fail wait for no turn of their own', async () => {
	const sleep = jest.spyOn(clock, 'sleep');
	const input = Array.from({ length: 200 }, (_, row) => ({
		email: row === 7 ? 'none' : `${row}@x.ch`,
	}));
	const { links } = await create(input, together, { settings: continueOnFail });
	expect(new Set(links.map(([, error]) => error))).toEqual(
		new Set(['Item 8 has no valid email: none']),
	);
	expect(links.length).toBe(200);
	expect(sleep.mock.calls.length).toBeLessThan(10);
});
