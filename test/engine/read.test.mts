import type { INodeParameters } from 'n8n-workflow';
import { runAction, runError, runOk } from './support/engine.mts';
import { having, json, type Answer } from './support/faultServer.mts';

const get = { resource: 'collectionRequest', operation: 'get' };
const getGuestLink = { ...get, operation: 'getGuestLink' };
const getShare = { resource: 'share', operation: 'get' };
const getAnswers = { resource: 'share', operation: 'getAnswers', output: 'answers' };
const byShare = { shareBy: 'shareId', shareId: 's1' };

const linkOf = (id: string) => ({
	requestId: id,
	guestLink: `https://collect.example.com/request/${id}`,
});

const open = { _id: 'open', shareStatus: 'open' };
const done = { _id: 'done', shareStatus: 'completed', shareId: 's1' };
const share = {
	_id: 's1',
	collectionRequestId: 'done',
	template: { _id: 't1' },
	createTime: '2026-01-01T00:00:00.000Z',
	status: 'completed',
	lastUpdateTime: '2026-01-02T00:00:00.000Z',
	deleteTime: null,
	otherFields: [
		{ label: 'Size', value: 'M', type: 'text', isMandatory: true },
		{ label: 'Size', value: '', type: 'text', isMandatory: false },
		{ value: 7 },
	],
};
/** A service with the two collection requests, and the share with these changes. */
const withShare = (changes: object = {}) =>
	having({
		'collection-request/open': open,
		'collection-request/done': done,
		'share/s1': { ...share, ...changes },
	});

describe('fields in their order, and what is read', () => {
	const readDone = ['/di/collection-request/done', '/di/share/s1'];
	const includeShare = { options: { includeShare: true } };
	const { createTime, lastUpdateTime, deleteTime, status } = share;
	const simplified = {
		...linkOf('done'),
		shareId: 's1',
		status,
		answers: { Size: 'M', 'Size (2)': '', '': 7 },
		participants: [],
		templateId: 't1',
		createTime,
		lastUpdateTime,
		deleteTime,
	};
	const rows = [
		['Size', 'M', 1, 'text', true],
		['Size', '', 2, 'text', false],
		[null, 7, 3, null, null],
	].map(([label, value, position, type, isMandatory]) => {
		const answer = { requestId: 'done', label, value, position, shareId: 's1', type, isMandatory };
		return { ...answer, status, lastUpdateTime, deleteTime };
	});

	test.each<[string, INodeParameters, items: object[], paths: string[]]>([
		[
			'Get',
			{ ...get, requestId: 'open' },
			[{ ...linkOf('open'), ...open }],
			['/di/collection-request/open'],
		],
		[
			'Get with the share, while there is none',
			{ ...get, requestId: 'open', ...includeShare },
			[{ ...linkOf('open'), ...open, share: null }],
			['/di/collection-request/open'],
		],
		[
			'Get with the share',
			{ ...get, requestId: 'done', ...includeShare },
			[{ ...linkOf('done'), ...done, share }],
			readDone,
		],
		['Get Guest Link', { ...getGuestLink, requestId: 'open' }, [linkOf('open')], []],
		['a share by its request', { ...getShare, requestId: 'done' }, [simplified], readDone],
		['a share by its own ID', { ...getShare, ...byShare }, [simplified], ['/di/share/s1']],
		[
			'a share as it came',
			{ ...getShare, ...byShare, simplify: false },
			[{ ...linkOf('done'), ...share }],
			['/di/share/s1'],
		],
		['answers by their request', { ...getAnswers, requestId: 'done' }, rows, readDone],
		['answers by their share', { ...getAnswers, ...byShare }, rows, ['/di/share/s1']],
	])('%s', async (_title, parameters, items, paths) => {
		const run = await runAction({ parameters, answer: withShare() });
		expect([run.error, run.urls]).toEqual([undefined, paths]);
		const fieldsOf = (list: object[]) => list.map((item) => Object.entries(item));
		expect(fieldsOf(run.json)).toEqual(fieldsOf(items));
		expect(run.items).toMatchObject(items.map(() => ({ pairedItem: { item: 0 } })));
	});
});

test.each<[string, INodeParameters]>([
	['Get by the request', { ...getShare, requestId: 'done' }],
	['Get Answers', { ...getAnswers, ...byShare }],
	['Get Answers as columns', { ...getAnswers, ...byShare, output: 'columns' }],
])('%s does not take a deleted share for one that is not', async (_title, parameters) => {
	const deleteTime = '2026-01-03T00:00:00.000Z';
	const run = await runAction({ parameters, answer: withShare({ deleteTime }) });
	expect(new Set(run.json.map((item) => item.deleteTime))).toEqual(new Set([deleteTime]));
});

test.each([null, undefined])(
	'a share whose deleteTime is %s is not deleted',
	async (deleteTime) => {
		const parameters = { ...getAnswers, ...byShare };
		const run = await runAction({ parameters, answer: withShare({ deleteTime }) });
		expect([run.hints, run.json[0]?.deleteTime]).toEqual([[], null]);
	},
);

test.each([[undefined], ['x'], [[null, 1]]])('fields %j give no answers', async (otherFields) => {
	const parameters = { ...getAnswers, ...byShare };
	const run = await runAction({ parameters, answer: withShare({ otherFields }) });
	expect(run).toMatchObject({ json: [], error: undefined });
});

test('the guest link is one of the chosen environment', async () => {
	const stagingCollectUrl = 'https://collect.staging.example.com/form/';
	const { item } = await runOk({
		parameters: { ...getGuestLink, requestId: 'a/b' },
		credential: {
			environment: 'staging',
			stagingBaseUrl: 'https://api.staging.example.com',
			stagingCollectUrl,
		},
	});
	expect(item).toEqual({ requestId: 'a/b', guestLink: `${stagingCollectUrl}request/a%2Fb` });
});

describe('Get Participants', () => {
	/** Somebody who has joined the share. */
	const joined = (name: string | null, email: string | null, more: object = {}) => ({
		account_id: `account of ${name}`,
		accountType: 'user',
		accountSnapshot: { _id: 'a', name, email, phoneNumber: null },
		roles: ['sharer'],
		...more,
	});

	/** A service with these invited participants, and these participants of the share if it exists. */
	const service = (participantList: unknown, participants?: unknown) =>
		having({
			'collection-request/r1': {
				_id: 'r1',
				shareStatus: 'open',
				participantList,
				...(participants !== undefined && { shareId: 's1' }),
			},
			'share/s1': { _id: 's1', participants },
		});

	async function read(answer: Answer, include = 'all') {
		const operation = 'getParticipants';
		const parameters = { ...get, operation, requestId: 'r1', include };
		const run = await runAction({ parameters, answer });
		expect(run.error).toBeUndefined();
		return run;
	}

	test('has the invited ones in their order, then those who joined uninvited, without organisations', async () => {
		const run = await read(
			service(
				[{ email: 'ada@example.com' }, { email: 'Nathan@Example.com' }, { name: 'Zoe' }],
				[
					joined('Acme', 'office@example.com', { accountType: 'organisation' }),
					joined('Max', 'max@example.com', { roles: ['admin'] }),
					joined('Nathan', 'NATHAN@example.com '),
				],
			),
		);
		const about = { ...linkOf('r1'), shareStatus: 'open', accountId: null, phoneNumber: null };
		const nathan = { name: 'Nathan', email: 'NATHAN@example.com', accountId: 'account of Nathan' };
		const max = { name: 'Max', email: 'max@example.com', accountId: 'account of Max' };
		const notYet = { ...about, roles: [], isInvited: true, hasJoined: false };
		expect(run.json).toEqual([
			{ ...notYet, name: null, email: 'ada@example.com' },
			{ ...about, ...nathan, roles: ['sharer'], isInvited: true, hasJoined: true },
			{ ...notYet, name: 'Zoe', email: null },
			{ ...about, ...max, roles: ['admin'], isInvited: false, hasJoined: true },
		]);
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual(Array(4).fill({ item: 0 }));
		expect(run.urls).toEqual(['/di/collection-request/r1', '/di/share/s1']);
	});

	test.each([
		['joined', ['Nathan', 'Max']],
		['notJoined', ['Ada']],
	])('include %s', async (include, names) => {
		const answer = service(
			[{ name: 'Ada' }, { name: 'Nathan', email: 'nathan@example.com' }],
			[joined('Nathan', 'nathan@example.com'), joined('Max', 'max@example.com')],
		);
		expect((await read(answer, include)).json.map(({ name }) => name)).toEqual(names);
	});

	const phoneNumber = '+41446681800';
	const ada = { name: 'Ada', email: 'ada@example.com', phoneNumber };

	test.each<[string, object, changed?: object]>([
		['empty', { name: '', email: ada.email, phoneNumber: null }],
		['out', { email: ada.email }],
		['out but the phone number', { phoneNumber }],
		['out but the number and a name', { name: 'Ada L.', phoneNumber }, { name: 'Ada L.' }],
	])(
		'what the account of somebody who has joined leaves %s stays as it was invited',
		async (_title, accountSnapshot, changed = {}) => {
			const { json: items } = await read(service([ada], [{ accountSnapshot }]));
			expect(items).toMatchObject([{ ...ada, ...changed, isInvited: true, hasJoined: true }]);
		},
	);

	test('somebody with a number of their own is found by it, whatever name and email the account has', async () => {
		const invited = { name: 'Ben', phoneNumber };
		const account = { name: 'Benjamin', email: 'ben@example.com', phoneNumber };
		const joinedAs = async (people: object[], accountSnapshot: object = account) =>
			(await read(service(people, [{ accountSnapshot }]))).json;
		expect(await joinedAs([invited])).toMatchObject([
			{ ...account, isInvited: true, hasJoined: true },
		]);
		expect(await joinedAs([{ ...invited, email: 'ben@work.example' }])).toMatchObject([
			{ ...account, isInvited: true, hasJoined: true },
		]);
		expect(await joinedAs([invited], { name: 'Benjamin', phoneNumber })).toMatchObject([
			{ name: 'Benjamin', email: null, isInvited: true, hasJoined: true },
		]);
		// An account that is known by its email is nobody else.
		expect(await joinedAs([{ email: account.email }, invited])).toMatchObject([
			{ email: account.email, hasJoined: true },
			{ name: 'Ben', hasJoined: false },
		]);
	});

	test('with a number that several people share, they are told apart by their names', async () => {
		const account = (name: string) => ({ accountSnapshot: { name, phoneNumber } });
		const namesOf = async (invited: object[], names: string[]) =>
			(await read(service(invited, names.map(account)))).json.map(({ name }) => name);
		expect(await namesOf([ada, { name: 'Ben', phoneNumber }], ['Cleo'])).toEqual([
			'Ada',
			'Ben',
			'Cleo',
		]);
		expect(await namesOf([ada], ['Ben', 'Ada'])).toEqual(['Ada', 'Ben']);
	});

	test('each item may choose whom to include', async () => {
		const { json: items } = await runAction({
			parameters: {
				...get,
				operation: 'getParticipants',
				requestId: '={{ $json.id }}',
				include: '={{ $json.include }}',
			},
			input: [
				{ id: 'r1', include: 'joined' },
				{ id: 'r2', include: 'notJoined' },
			],
			answer: having({
				'collection-request/r1': { _id: 'r1', participantList: [{ name: 'Ada' }], shareId: 's1' },
				'collection-request/r2': { _id: 'r2', participantList: [{ name: 'Ben' }] },
				'share/s1': { _id: 's1', participants: [joined('Max', 'max@example.com')] },
			}),
		});
		expect(items.map(({ name }) => name)).toEqual(['Max', 'Ben']);
	});

	test('before anybody has joined there is no share to read', async () => {
		const run = await read(service([{ email: 'ada@example.com' }]));
		expect(run.json).toMatchObject([{ email: 'ada@example.com', hasJoined: false }]);
		expect(run.urls).toEqual(['/di/collection-request/r1']);
	});

	test('who has no email is listed once for each record; the same email is one person', async () => {
		const guest = joined('Guest', null);
		const nathan = 'nathan@example.com';
		const { json: items } = await read(
			service(
				[{ name: 'Ada' }, { name: 'Ada' }, { email: nathan }, { email: nathan.toUpperCase() }],
				[guest, guest, joined('Nathan', nathan), joined('N.', nathan)],
			),
		);
		expect(items.map(({ name }) => name)).toEqual(['Ada', 'Ada', 'Nathan', 'Guest', 'Guest']);
	});

	test.each<[unknown, unknown, object[]]>([
		[[], undefined, []],
		[undefined, null, []],
		[
			[null, 'x', { email: 5 }],
			[null, { accountSnapshot: null }, 7],
			[
				{ email: 5, isInvited: true },
				{ name: null, email: null, isInvited: false },
			],
		],
	])('invited %j and joined %j: what is no person is left out', async (invited, have, items) => {
		expect((await read(service(invited, have))).json).toMatchObject(items);
	});
});

describe.each([
	['collection request', '/di/collection-request/', { ...get, requestId: '={{ $json.id }}' }],
	['share', '/di/share/', { ...getShare, ...byShare, shareId: '={{ $json.id }}' }],
])('the ID of a %s', (_resource, path, parameters) => {
	test.each<[unknown, string]>([
		[' ../x ', '..%2Fx'],
		['a\r\nX-Injected: 1', 'a%0D%0AX-Injected%3A%201'],
		[42, '42'],
	])('%j stays one segment of the path', async (id, segment) => {
		const answer = json(200, { _id: decodeURIComponent(segment) });
		const { requests } = await runOk({ parameters, input: [{ id } as never], answer });
		expect(requests).toMatchObject([{ url: `${path}${segment}` }]);
		expect(requests[0]?.headers).not.toHaveProperty('x-injected');
	});

	test('is looked up nowhere else if the service does not know it', async () => {
		const { urls } = await runError({ parameters, input: [{ id: '1' }], answer: json(404, {}) });
		expect(urls).toEqual([`${path}1`]);
	});
});

test.each([
	['65F0C1A2B3C4D5E6F7A8B9C2', '65f0c1a2b3c4d5e6f7a8b9c2'],
	['https://collect.example.com/request/65F0C1A2B3C4D5E6F7A8B9C2', '65f0c1a2b3c4d5e6f7a8b9c2'],
	// Nobody knows whether the case of other IDs matters.
	['R1', 'R1'],
	[' https://collect.example.com/request/r1/?a=1#top ', 'r1'],
	['https://collect.example.com/request/a%2Fb%20c', 'a%2Fb%20c'],
])('%j names the collection request, as an ID or as its guest link', async (requestId, id) => {
	const answer = having({ [`collection-request/${id}`]: { _id: decodeURIComponent(id) } });
	const { urls } = await runOk({ parameters: { ...get, requestId }, answer });
	expect(urls).toEqual([`/di/collection-request/${id}`]);
});

test('every webhook secret is hidden, even one that is too short to be used or has spaces around it', async () => {
	const { item } = await runOk({
		parameters: { ...get, requestId: '1' },
		credential: {
			webhookSecret: ' hunter2-2024 ',
			previousWebhookSecrets: 'an-older-one\nthe-oldest-one',
		},
		answer: json(200, { _id: '1', note: 'hunter2-2024, an-older-one, the-oldest-one' }),
	});
	expect(item.note).toBe('(hidden), (hidden), (hidden)');
});
