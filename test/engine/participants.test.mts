import type { INodeParameters } from 'n8n-workflow';
import { runAction, runError } from './support/engine.mts';
import type { Answer } from './support/faultServer.mts';
import { having } from './support/faultServer.mts';
import { containing } from '../support/matchers.mts';

const GET = { resource: 'collectionRequest', operation: 'getParticipants', requestId: 'r1' };
const LINK = 'https://collect.example.com/request/r1';

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

/** A service at which these are invited, and these have joined the share once there is one. */
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
	const run = await runAction({ parameters: { ...GET, ...parameters }, answer });
	expect(run.error).toBeUndefined();
	return run;
}

test('invited ones come first in their order, then those who joined uninvited', async () => {
	const invited = ['ada@example.com', 'Nathan@Example.com', 'zoe@example.com'];
	const { json, items, urls } = await participants(
		people(
			invited.map((email) => ({ email })),
			[
				joined('Acme', 'office@example.com', ['organiser'], 'organisation'),
				joined('Max', 'max@example.com', ['admin']),
				joined('Nathan', 'nathan@example.com '),
			],
		),
	);
	const person = (name: string | null, email: string, roles: string[], is: object) => ({
		...{ requestId: 'r1', guestLink: LINK, shareStatus: 'open' },
		...{ name, email, phoneNumber: null, roles, ...is },
	});
	expect(json).toEqual([
		person(null, 'ada@example.com', [], { isInvited: true, hasJoined: false }),
		person('Nathan', 'nathan@example.com ', ['sharer'], { isInvited: true, hasJoined: true }),
		person(null, 'zoe@example.com', [], { isInvited: true, hasJoined: false }),
		person('Max', 'max@example.com', ['admin'], { isInvited: false, hasJoined: true }),
	]);
	expect(Object.keys(json[0] ?? {}).slice(0, 2)).toEqual(['requestId', 'guestLink']);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(Array(4).fill({ item: 0 }));
	expect(urls).toEqual(['/di/collection-request/r1', '/di/share/s1']);
});

test.each([
	['all', ['ada@example.com', 'nathan@example.com', 'max@example.com']],
	['joined', ['nathan@example.com', 'max@example.com']],
	['notJoined', ['ada@example.com']],
])('include %s', async (include, emails) => {
	const answer = people(
		[{ email: 'ada@example.com' }, { email: 'nathan@example.com' }],
		[joined('Nathan', 'nathan@example.com'), joined('Max', 'max@example.com')],
	);
	const { json } = await participants(answer, { include });
	expect(json.map(({ email }) => email)).toEqual(emails);
});

test('before anybody has joined there is no share to read', async () => {
	const { json, urls } = await participants(people([{ email: 'ada@example.com', name: 'Ada' }]));
	expect(json).toMatchObject([{ name: 'Ada', email: 'ada@example.com', hasJoined: false }]);
	expect(urls).toEqual(['/di/collection-request/r1']);
});

test('nobody gives no item', async () => {
	expect((await participants(people([]))).json).toEqual([]);
	expect((await participants(people(undefined, null))).json).toEqual([]);
});

test('who has no email is listed once for each record; the same email stands for one person', async () => {
	const { json } = await participants(
		people(
			[
				{ name: 'Ada' },
				{ name: 'Ada' },
				{ email: 'nathan@example.com' },
				{ email: 'NATHAN@example.com' },
			],
			[
				joined('Guest', null),
				joined('Guest', null),
				joined('Nathan', 'nathan@example.com'),
				joined('N.', 'nathan@example.com'),
			],
		),
	);
	expect(json.map(({ name, isInvited, hasJoined }) => [name, isInvited, hasJoined])).toEqual([
		['Ada', true, false],
		['Ada', true, false],
		['Nathan', true, true],
		['Guest', false, true],
		['Guest', false, true],
	]);
});

test('odd parts do no harm', async () => {
	const answer = people([null, 'x', { email: 5 }], [null, { accountSnapshot: null }, 7]);
	expect((await participants(answer)).json).toMatchObject([
		{ email: 5, isInvited: true },
		{ name: null, email: null, isInvited: false },
	]);
});

describe('a guest link in place of the ID', () => {
	test.each([
		[LINK, 'r1'],
		[`${LINK}?a=1#top`, 'r1'],
		[`${LINK}/`, 'r1'],
		[` ${LINK} `, 'r1'],
		['https://collect.example.com/request/a%2Fb%20c', 'a%2Fb%20c'],
	])('%j', async (requestId, id) => {
		const answer = having({ [`collection-request/${id}`]: { _id: 'r1' } });
		const { urls } = await participants(answer, { requestId });
		expect(urls).toEqual([`/di/collection-request/${id}`]);
	});

	test.each([
		'https://elsewhere.example.com/request/r1',
		'https://collect.example.com/other/r1',
		'https://collect.example.com/request/',
		'https://collect.example.com/request/%',
	])('%s is refused, and says what a guest link begins with', async (requestId) => {
		const error = await runError({ parameters: { ...GET, requestId }, answer: people([]) });
		expect(error).toMatchObject({
			message:
				"Request ID is a link, but not a guest link that starts with the credential's Collect URL",
			description: containing('https://collect.example.com/request/'),
			sent: 0,
		});
	});
});
