import type { INodeParameters } from 'n8n-workflow';
import { matching } from '../support/matchers.mts';
import { runAction, runError, runOk, type ActionRun } from './support/engine.mts';
import { having, json, type Answer } from './support/faultServer.mts';
import { READ } from './support/operations.mts';

const OPEN = { _id: 'open', shareStatus: 'open' };
const DONE = { _id: 'done', shareStatus: 'completed', shareId: 's1' };
const SHARE = {
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

const linkOf = (id: string) => ({
	requestId: id,
	guestLink: `https://collect.example.com/request/${id}`,
});

const read = (parameters: INodeParameters, share: object = SHARE): ActionRun => ({
	parameters: { ...READ, ...parameters },
	answer: having({
		'collection-request/open': OPEN,
		'collection-request/done': DONE,
		'share/s1': share,
	}),
});

const ofShare = { resource: 'share', operation: 'get' };
const answers = { ...ofShare, operation: 'getAnswers' };
const byShare = { shareBy: 'shareId', shareId: 's1' };
const guestLink = { operation: 'getGuestLink' };
const options = { includeShare: true };

const readDone = ['/di/collection-request/done', '/di/share/s1'];
const simplified = {
	...linkOf('done'),
	shareId: 's1',
	status: 'completed',
	answers: { Size: 'M', 'Size (2)': '', '': 7 },
	participants: [],
	templateId: 't1',
	createTime: SHARE.createTime,
	lastUpdateTime: SHARE.lastUpdateTime,
	deleteTime: null,
};
const rows = SHARE.otherFields.map(
	({ label = null, value, type = null, isMandatory = null }, n) => {
		const answer = { requestId: 'done', label, value, position: n + 1, shareId: 's1' };
		const { status, lastUpdateTime } = SHARE;
		return { ...answer, type, isMandatory, status, lastUpdateTime, deleteTime: null };
	},
);

test.each<[string, INodeParameters, object[], string[]]>([
	['Get', { requestId: 'open' }, [{ ...linkOf('open'), ...OPEN }], ['/di/collection-request/open']],
	[
		'Get with the share, while there is none',
		{ requestId: 'open', options },
		[{ ...linkOf('open'), ...OPEN, share: null }],
		['/di/collection-request/open'],
	],
	[
		'Get with the share',
		{ requestId: 'done', options },
		[{ ...linkOf('done'), ...DONE, share: SHARE }],
		readDone,
	],
	['Get Guest Link', { ...guestLink, requestId: 'open' }, [linkOf('open')], []],
	['a share by its request', { ...ofShare, requestId: 'done' }, [simplified], readDone],
	['a share by its own ID', { ...ofShare, ...byShare }, [simplified], ['/di/share/s1']],
	[
		'a share as it came',
		{ ...ofShare, ...byShare, simplify: false },
		[{ ...linkOf('done'), ...SHARE }],
		['/di/share/s1'],
	],
	['answers by their request', { ...answers, requestId: 'done' }, rows, readDone],
	['answers by their share', { ...answers, ...byShare }, rows, ['/di/share/s1']],
])('%s: fields in their order, and what is read', async (_title, parameters, items, paths) => {
	const run = await runAction(read(parameters));
	expect(run).toMatchObject({ error: undefined, urls: paths });
	expect(run.json.map((item) => Object.entries(item))).toEqual(
		items.map((item) => Object.entries(item)),
	);
	expect(run.items).toMatchObject(items.map(() => ({ pairedItem: { item: 0 } })));
});

test.each<[string, INodeParameters]>([
	['Get', ofShare],
	['Get Answers', answers],
	['Get Answers as columns', { ...answers, output: 'columns' }],
])('%s does not take a deleted share for one that is not', async (_title, operation) => {
	const deleteTime = '2026-01-03T00:00:00.000Z';
	for (const parameters of [{ requestId: 'done' }, byShare]) {
		const run = await runAction(read({ ...operation, ...parameters }, { ...SHARE, deleteTime }));
		expect(run.json.length).toBeGreaterThan(0);
		expect(run.json.map((item) => item.deleteTime)).toEqual(run.json.map(() => deleteTime));
		expect(run.hints).toMatchObject([{ message: matching(/^A share is deleted: /) }]);
	}
});

test.each([null, undefined])(
	'a share whose deleteTime is %s is not deleted',
	async (deleteTime) => {
		const run = await runAction(read({ ...answers, ...byShare }, { ...SHARE, deleteTime }));
		expect(run.hints).toEqual([]);
		expect(run.json[0]?.deleteTime).toBe(null);
	},
);

test('the guest link is one of the chosen environment', async () => {
	const credential = {
		environment: 'staging',
		stagingBaseUrl: 'https://api.staging.example.com',
		stagingCollectUrl: 'https://collect.staging.example.com/form/',
	};
	const { item } = await runOk({ ...read({ ...guestLink, requestId: 'a/b' }), credential });
	const link = `${credential.stagingCollectUrl}request/a%2Fb`;
	expect(item).toEqual({ requestId: 'a/b', guestLink: link });
});

test.each([[undefined], ['x'], [[null, 1]]])('fields %j give no answers', async (otherFields) => {
	const run = await runAction(read({ ...answers, ...byShare }, { ...SHARE, otherFields }));
	expect(run).toMatchObject({ json: [], error: undefined });
});

const LINK = linkOf('r1').guestLink;

const joined = (
	name: string | null,
	email: string | null,
	roles = ['sharer'],
	accountType = 'user',
) => ({
	account_id: `${name}-${email}`,
	accountType,
	accountSnapshot: { _id: 'a', name, email, phoneNumber: null },
	roles,
});

/** A service with these invited participants, and these participants of the share if it exists. */
const people = (participantList: unknown, participants?: unknown) =>
	having({
		'collection-request/r1': {
			_id: 'r1',
			shareStatus: 'open',
			participantList,
			...(participants !== undefined && { shareId: 's1' }),
		},
		'share/s1': { _id: 's1', participants },
	});

async function participants(answer: Answer, parameters: INodeParameters = {}) {
	const get = { ...READ, operation: 'getParticipants', requestId: 'r1' };
	const run = await runAction({ parameters: { ...get, ...parameters }, answer });
	expect(run.error).toBeUndefined();
	return run;
}

test('invited ones come first in their order, then those who joined uninvited', async () => {
	const invited = ['ada@example.com', 'Nathan@Example.com', 'zoe@example.com'];
	const {
		json: found,
		items,
		urls,
	} = await participants(
		people(
			invited.map((email) => ({ email })),
			[
				joined('Acme', 'office@example.com', ['organiser'], 'organisation'),
				joined('Max', 'max@example.com', ['admin']),
				joined('Nathan', 'NATHAN@example.com '),
			],
		),
	);
	const person = (name: string | null, email: string, roles: string[], is: object) => ({
		...linkOf('r1'),
		shareStatus: 'open',
		accountId: name && `${name}-${email}`,
		name,
		email: email.trim(),
		phoneNumber: null,
		roles,
		...is,
	});
	expect(found).toEqual([
		person(null, 'ada@example.com', [], { isInvited: true, hasJoined: false }),
		person('Nathan', 'NATHAN@example.com ', ['sharer'], { isInvited: true, hasJoined: true }),
		person(null, 'zoe@example.com', [], { isInvited: true, hasJoined: false }),
		person('Max', 'max@example.com', ['admin'], { isInvited: false, hasJoined: true }),
	]);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(Array(4).fill({ item: 0 }));
	expect(urls).toEqual(['/di/collection-request/r1', '/di/share/s1']);
});

test.each([
	['all', ['Ada', 'Nathan', 'Max']],
	['joined', ['Nathan', 'Max']],
	['notJoined', ['Ada']],
])('include %s', async (include, names) => {
	const answer = people(
		[
			{ name: 'Ada', email: 'ada@example.com' },
			{ name: 'Nathan', email: 'nathan@example.com' },
		],
		[joined('Nathan', 'nathan@example.com'), joined('Max', 'max@example.com')],
	);
	const run = await participants(answer, { include });
	expect(run.json.map(({ name }) => name)).toEqual(names);
});

test('what the account of somebody who has joined leaves empty stays as it was invited', async () => {
	const email = 'ada@example.com';
	const invited = { name: 'Ada', email, phoneNumber: '+41 44 668 18 00' };
	const run = await participants(people([invited], [joined('', email)]));
	expect(run.json).toMatchObject([{ ...invited, hasJoined: true }]);
});

test('before anybody has joined there is no share to read', async () => {
	const run = await participants(people([{ email: 'ada@example.com', name: 'Ada' }]));
	expect(run.json).toMatchObject([{ name: 'Ada', email: 'ada@example.com', hasJoined: false }]);
	expect(run.urls).toEqual(['/di/collection-request/r1']);
});

test('nobody gives no item', async () => {
	expect((await participants(people([]))).json).toEqual([]);
	expect((await participants(people(undefined, null))).json).toEqual([]);
});

test('who has no email is listed once for each record; the same email stands for one person', async () => {
	const ada = { name: 'Ada' };
	const guest = joined('Guest', null);
	const nathan = 'nathan@example.com';
	const answer = people(
		[ada, ada, { email: nathan }, { email: nathan.toUpperCase() }],
		[guest, guest, joined('Nathan', nathan), joined('N.', nathan)],
	);
	const run = await participants(answer);
	expect(run.json.map(({ name, isInvited, hasJoined }) => [name, isInvited, hasJoined])).toEqual([
		['Ada', true, false],
		['Ada', true, false],
		['Nathan', true, true],
		['Guest', false, true],
		['Guest', false, true],
	]);
});

test('participants that are no objects are left out, and odd values become null', async () => {
	const answer = people([null, 'x', { email: 5 }], [null, { accountSnapshot: null }, 7]);
	expect((await participants(answer)).json).toMatchObject([
		{ email: 5, isInvited: true },
		{ name: null, email: null, isInvited: false },
	]);
});

test.each([
	[` ${LINK}/?a=1#top `, 'r1'],
	['https://collect.example.com/request/a%2Fb%20c', 'a%2Fb%20c'],
])('the guest link %j may stand in place of the ID', async (requestId, id) => {
	const answer = having({ [`collection-request/${id}`]: { _id: decodeURIComponent(id) } });
	const { urls } = await participants(answer, { requestId });
	expect(urls).toEqual([`/di/collection-request/${id}`]);
});

test('every webhook secret is hidden, even one that is too short to be used', async () => {
	const previousWebhookSecrets = 'an-older-one\nthe-oldest-one';
	const credential = { webhookSecret: 'hunter2-2024', previousWebhookSecrets };
	const answer = json(200, { _id: '1', note: 'hunter2-2024, an-older-one, the-oldest-one' });
	const { item } = await runOk({ parameters: READ, answer, credential });
	expect(item.note).toBe('(hidden), (hidden), (hidden)');
});

describe.each([
	['collection request', '/di/collection-request/', { ...READ, requestId: '={{ $json.id }}' }],
	['share', '/di/share/', { ...ofShare, ...byShare, shareId: '={{ $json.id }}' }],
])('the ID of a %s', (_resource, path, parameters) => {
	test.each<[unknown, string]>([
		[' ../x ', '..%2Fx'],
		['a\r\nX-Injected: 1', 'a%0D%0AX-Injected%3A%201'],
		['x'.repeat(10_000), 'x'.repeat(10_000)],
		[42, '42'],
	])('%# stays one segment of the path', async (id, segment) => {
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
