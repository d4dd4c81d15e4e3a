import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runAction, type ActionRun } from './support/engine.mts';
import { by, json, type Answer, type Received } from './support/faultServer.mts';
import { CREATE } from './support/operations.mts';

// Create, with Specify Participants on From Input Items: each input item is one person.

interface Body {
	participantList: Array<{ email: string }>;
}

const bodyOf = ({ body }: Received) => JSON.parse(body) as Body;
const emailsOf = (request: Received) => bodyOf(request).participantList.map(({ email }) => email);
const BY_CLASS = { groupBy: '={{ $json.class }}' };
const CONTINUE_ON_FAIL = { onError: 'continueRegularOutput' as const };

/** The ID of each collection request is the email of the first person in it. */
const created: Answer = by((request) => json(201, { _id: `of ${emailsOf(request)[0]}` }));

/** Creates from these rows; also returns the emails of each collection request that was sent. */
async function create(
	rows: IDataObject[],
	parameters: INodeParameters = {},
	more: Partial<ActionRun> = {},
) {
	const run = await runAction({
		parameters: { ...CREATE, participantsMode: 'items', ...parameters },
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

const rowOf = (email: string, group?: string): IDataObject => ({ email, class: group });
const CLASSES = [
	rowOf('a1@x.ch', '3a'),
	rowOf('b1@x.ch', '3b'),
	rowOf('a2@x.ch', '3a'),
	rowOf('b2@x.ch', ' 3b '),
];

test('all input items are the people of one collection request, each linked to its item', async () => {
	const rows = [
		{ name: 'Ada', email: 'Ada L <ada@x.ch>', phoneNumber: 441234567, more: 1 },
		{ name: '', email: ' ', more: 2 },
		{ name: 'Ben', email: 'ben@x.ch' },
	];
	const run = await create(rows);
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
		'Nobody is invited for item 2: its name, email and phone number are empty',
	]);
});

test('Group By makes one for each value, in the order of their first items', async () => {
	const run = await create(CLASSES, BY_CLASS);
	expect(run.sentEmails).toEqual([
		['a1@x.ch', 'a2@x.ch'],
		['b1@x.ch', 'b2@x.ch'],
	]);
	expect(run.links).toEqual([
		[0, 'a1@x.ch of a1@x.ch'],
		[2, 'a2@x.ch of a1@x.ch'],
		[1, 'b1@x.ch of b1@x.ch'],
		[3, 'b2@x.ch of b1@x.ch'],
	]);
	expect(run.hints).toEqual([]);
	expect(run.json.map(({ group }) => group)).toEqual(['3a', '3a', '3b', '3b']);
});

test('Group By also takes the name of a field', async () => {
	const run = await create(CLASSES, { groupBy: 'class' });
	expect(run.sentEmails).toEqual([
		['a1@x.ch', 'a2@x.ch'],
		['b1@x.ch', 'b2@x.ch'],
	]);
	const { error, sent } = await create(CLASSES, { groupBy: 'Class' });
	expect([error?.message.split('. ')[0], sent]).toEqual(['Group By of item 1 is empty', 0]);
});

test('the fields may come from anywhere in the item', async () => {
	const rows = [{ Person: { Mail: 'ada@x.ch', Boss: 'yes' }, Year: 2026 }];
	const run = await create(rows, {
		personEmail: '={{ $json.Person.Mail }}',
		personIsAdmin: '={{ $json.Person.Boss }}',
		groupBy: '={{ $json.Year }}',
		output: 'collectionRequest',
	});
	expect(run.requests.map(bodyOf)).toMatchObject([
		{ participantList: [{ email: 'ada@x.ch', isAdmin: true }] },
	]);
	expect(run.items).toMatchObject([
		{ json: { _id: 'of ada@x.ch', group: '2026' }, pairedItem: { item: 0 } },
	]);
});

test('a person in several rows of a group is sent once, linked to the first one', async () => {
	const rows = [...CLASSES, { email: 'A1@x.ch', class: '3a' }, { email: 'a1@x.ch', class: '3b' }];
	const run = await create(rows, BY_CLASS);
	expect(run.sentEmails).toEqual([
		['a1@x.ch', 'a2@x.ch'],
		['b1@x.ch', 'b2@x.ch', 'a1@x.ch'],
	]);
	expect(run.links.map(([item]) => item)).toEqual([0, 2, 1, 3, 5]);
});

describe('what is wrong', () => {
	const bad = [
		...CLASSES,
		rowOf('no address', '3a'),
		rowOf('c1@x.ch', '3c'),
		rowOf('+41', '3a'),
		rowOf('d1@x.ch; d2@x.ch', '3d'),
		rowOf('e1@x.ch', ' '),
	];
	const a = 'Item 5 has no valid email: no address. Item 7 has no valid email: +41';

	test('is named for all items at once, and nothing is created', async () => {
		const { error, sent } = await create(bad, BY_CLASS);
		expect(error?.message).toBe(
			`${a}. Item 8 has more than one email: d1@x.ch; d2@x.ch. Group By of item 9 is empty`,
		);
		expect(error?.context).toMatchObject({ itemIndex: 4 });
		expect(sent).toBe(0);
	});

	test('with On Error: Continue, fails its group, and the others are created', async () => {
		const run = await create(bad, BY_CLASS, { settings: CONTINUE_ON_FAIL });
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
		]);
	});

	test.each<[string, INodeParameters, IDataObject[]]>([
		[
			'Template ID is not the same for all items of the group "3b": item 2 has t1, item 4 has t3',
			{
				...BY_CLASS,
				templateId: '=t{{ $json.class === "3a" ? 0 : $json.email === "b1@x.ch" ? 1 : 3 }}',
			},
			CLASSES,
		],
		[
			'Minimum Participants is not the same for all items: item 1 has 0, item 2 has 1',
			{ additionalFields: { minimumParticipants: '={{ $itemIndex }}' } },
			CLASSES,
		],
		[
			'Template ID is not the same for all items: item 1 has t1, item 4 has t2',
			{ templateId: '={{ $itemIndex < 3 ? "t1" : "t2" }}' },
			CLASSES,
		],
		['No input item has a name, an email or a phone number', {}, [{ mail: 'a@x.ch' }, {}]],
		['Item 1 is empty', { personIsAdmin: true }, [{ mail: 'a@x.ch' }]],
		['Email of item 2 is not text', {}, [{ email: 'a@x.ch' }, { email: { of: 'b' } }]],
		['Group By of item 1 is not text', { groupBy: '={{ [$json.class] }}' }, CLASSES.slice(0, 1)],
		['Group By of item 2 is empty', { groupBy: '={{ $json.clas }}' }, [{ clas: 1 }, {}]],
	])('%s', async (message, parameters, rows) => {
		const { error, sent } = await create(rows, parameters);
		expect([error?.message, sent]).toEqual([message, 0]);
	});

	test('what the service refuses is named by the item, and fails the whole group', async () => {
		const refused = json(400, { message: 'participantList.1.email is not allowed' });
		const answer = by((request) => (emailsOf(request).includes('b2@x.ch') ? refused : created));
		const run = await create(CLASSES, BY_CLASS, { answer, settings: CONTINUE_ON_FAIL });
		expect(run.json.map(({ error, message, email }) => error ?? message ?? email)).toEqual([
			'a1@x.ch',
			'a2@x.ch',
			run.json[2]?.error,
			run.json[2]?.error,
		]);
		expect(run.json[3]?.message).toContain('email of item 4 is not allowed');
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 2, 1, 3].map((item) => ({ item })),
		);
	});
});

test('Retry On Fail creates nothing twice, and outputs the same items', async () => {
	const answers = [json(429, {}), json(429, {}), json(429, {}), json(422, {})];
	const answer = by((request) =>
		emailsOf(request).includes('b1@x.ch') ? (answers.shift() ?? created) : created,
	);
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
	const run = await create(CLASSES, BY_CLASS, { answer, settings });
	expect(run.sentEmails.filter(([first]) => first === 'a1@x.ch')).toHaveLength(1);
	expect(run.links.map(([item]) => item)).toEqual([0, 2, 1, 3]);
});

test('hints: values that differ only in case or spaces, and Execute Once', async () => {
	const rows = [rowOf('a@x.ch', 'Class 3a'), rowOf('b@x.ch', 'class  3A')];
	const { hints, sent } = await create(rows, BY_CLASS);
	expect([sent, hints]).toEqual([
		2,
		[
			'Group By has "Class 3a" and "class  3A", which differ only in case or spaces. Each has a collection request of its own.',
		],
	]);
	const once = await create(rows, BY_CLASS, { settings: { executeOnce: true } });
	expect([once.sentEmails, once.hints]).toEqual([
		[['a@x.ch']],
		[
			'Execute Once is on in the settings of this node, so only the person of the first item is invited.',
		],
	]);
});

test('an emptied expression in Group By groups nothing', async () => {
	expect((await create(CLASSES, { groupBy: '=' })).sent).toBe(1);
});

test('in the other modes, a hint names the items that invite the same people', async () => {
	const participantsJson =
		'={{ $json.alone ? [$json.alone] : $input.all().map((item) => item.json.email) }}';
	const rows = [{ email: 'a@x.ch' }, { email: 'b@x.ch' }, { alone: 'c@x.ch' }, { alone: 'c@x.ch' }];
	const { hints, sent } = await create(rows, { participantsMode: 'json', participantsJson });
	expect([sent, hints]).toEqual([
		4,
		[
			'The same people are invited for items 1 and 2: each of these items makes a collection request of its own. To make one of all input items, set Specify Participants to From Input Items.',
		],
	]);
});

test('nobody is lost, doubled or put elsewhere', async () => {
	const row = fc.record({ n: fc.nat(40), class: fc.constantFrom('a', 'b', 'c', 7, true) });
	await fc.assert(
		fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 30 }), async (given) => {
			const rows = given.map(({ n, class: group }) => ({ email: `${n}@x.ch`, class: group }));
			const { items, sent } = await create(rows, BY_CLASS);
			const inOrder = [...new Set(rows.map((one) => String(one.class)))];
			expect(sent).toBe(inOrder.length);
			const expected = inOrder.flatMap((group) => {
				const own = rows.filter((one) => String(one.class) === group);
				const emails = [...new Set(own.map(({ email }) => email))];
				return emails.map((email) => ({
					requestId: `of ${emails[0]}`,
					email,
					item: rows.findIndex((one) => one.email === email && String(one.class) === group),
				}));
			});
			const out = items.map(({ json: { requestId, email }, pairedItem }) => ({
				requestId,
				email,
				item: (pairedItem as { item: number }).item,
			}));
			expect(out).toEqual(expected);
		}),
		{ numRuns: 30 },
	);
});
