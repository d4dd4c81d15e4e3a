import type { IDataObject } from 'n8n-workflow';
import { runAction, runError } from './support/engine.mts';
import type { Answer } from './support/faultServer.mts';
import { json, withFaultServer } from './support/faultServer.mts';

const GET = { resource: 'collectionRequest', operation: 'getParticipants', requestId: 'r1' };
const LINK = 'https://collect.example.com/request/r1';

const account = (
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

const resources =
	(participantList: unknown, participants?: unknown, shareStatus = 'open'): Answer =>
	(response, request, index) =>
		json(
			200,
			request.url.includes('/share/')
				? { _id: 's1', participants }
				: {
						_id: 'r1',
						shareStatus,
						participantList,
						...(participants !== undefined && { shareId: 's1' }),
					},
		)(response, request, index);

async function participants(answer: Answer, parameters: IDataObject = {}) {
	return await withFaultServer(answer, async ({ url, requests }) => {
		const run = await runAction({
			parameters: { ...GET, ...parameters } as never,
			credential: { productionBaseUrl: url },
		});
		if (run.error) throw run.error;
		return { ...run, urls: requests.map((request) => request.url) };
	});
}

test('invited ones come first in their order, then those who joined uninvited', async () => {
	const answer = resources(
		[{ email: 'ada@example.com' }, { email: 'Nathan@Example.com' }, { email: 'zoe@example.com' }],
		[
			account('Acme', 'office@example.com', ['organiser'], 'organisation'),
			account('Max', 'max@example.com', ['admin']),
			account('Nathan', 'nathan@example.com '),
		],
	);
	const { json: items, items: whole, urls } = await participants(answer);
	const about = { requestId: 'r1', guestLink: LINK, shareStatus: 'open' };
	expect(items).toEqual([
		{
			...about,
			name: null,
			email: 'ada@example.com',
			phoneNumber: null,
			roles: [],
			isInvited: true,
			hasJoined: false,
		},
		{
			...about,
			name: 'Nathan',
			email: 'nathan@example.com ',
			phoneNumber: null,
			roles: ['sharer'],
			isInvited: true,
			hasJoined: true,
		},
		{
			...about,
			name: null,
			email: 'zoe@example.com',
			phoneNumber: null,
			roles: [],
			isInvited: true,
			hasJoined: false,
		},
		{
			...about,
			name: 'Max',
			email: 'max@example.com',
			phoneNumber: null,
			roles: ['admin'],
			isInvited: false,
			hasJoined: true,
		},
	]);
	expect(Object.keys(items[0] ?? {}).slice(0, 2)).toEqual(['requestId', 'guestLink']);
	expect(whole.map(({ pairedItem }) => pairedItem)).toEqual(Array(4).fill({ item: 0 }));
	expect(urls).toEqual(['/di/collection-request/r1', '/di/share/s1']);
});

test.each([
	['all', ['ada@example.com', 'nathan@example.com', 'max@example.com']],
	['joined', ['nathan@example.com', 'max@example.com']],
	['notJoined', ['ada@example.com']],
])('include %s', async (include, emails) => {
	const answer = resources(
		[{ email: 'ada@example.com' }, { email: 'nathan@example.com' }],
		[account('Nathan', 'nathan@example.com'), account('Max', 'max@example.com')],
	);
	const { json: items } = await participants(answer, { include });
	expect(items.map(({ email }) => email)).toEqual(emails);
});

test('before anybody has joined there is no share to read', async () => {
	const { json: items, urls } = await participants(
		resources([{ email: 'ada@example.com', name: 'Ada' }]),
	);
	expect(items).toMatchObject([{ name: 'Ada', email: 'ada@example.com', hasJoined: false }]);
	expect(urls).toEqual(['/di/collection-request/r1']);
});

test('nobody gives no item', async () => {
	expect((await participants(resources([]))).json).toEqual([]);
	expect((await participants(resources(undefined, null))).json).toEqual([]);
});

test('who has no email is listed once for each record; the same email stands for one person', async () => {
	const answer = resources(
		[
			{ name: 'Ada' },
			{ name: 'Ada' },
			{ email: 'nathan@example.com' },
			{ email: 'NATHAN@example.com' },
		],
		[
			account('Guest', null),
			account('Guest', null),
			account('Nathan', 'nathan@example.com'),
			account('N.', 'nathan@example.com'),
		],
	);
	const { json: items } = await participants(answer);
	expect(items.map(({ name, isInvited, hasJoined }) => [name, isInvited, hasJoined])).toEqual([
		['Ada', true, false],
		['Ada', true, false],
		['Nathan', true, true],
		['Guest', false, true],
		['Guest', false, true],
	]);
});

test('odd parts do no harm', async () => {
	const answer = resources([null, 'x', { email: 5 }], [null, { accountSnapshot: null }, 7]);
	const { json: items } = await participants(answer);
	expect(items).toMatchObject([
		{ email: 5, isInvited: true },
		{ name: null, email: null, isInvited: false },
	]);
});

describe('a guest link in place of the ID', () => {
	test.each([LINK, `${LINK}?a=1#top`, `${LINK}/`, ` ${LINK} `])('%j', async (requestId) => {
		const { urls } = await participants(resources([]), { requestId });
		expect(urls).toEqual(['/di/collection-request/r1']);
	});

	test('holds any ID', async () => {
		const requestId = 'https://collect.example.com/request/a%2Fb%20c';
		const { urls } = await participants(resources([]), { requestId });
		expect(urls).toEqual(['/di/collection-request/a%2Fb%20c']);
	});

	test.each([
		'https://elsewhere.example.com/request/r1',
		'https://collect.example.com/other/r1',
		'https://collect.example.com/request/',
		'https://collect.example.com/request/%',
	])('%s is refused, and says what a guest link begins with', async (requestId) => {
		await withFaultServer(resources([]), async ({ url, requests }) => {
			const error = await runError({
				parameters: { ...GET, requestId },
				credential: { productionBaseUrl: url },
			});
			expect(error.message).toBe(
				"Request ID is a link, but not a guest link of the credential's Collect URL",
			);
			expect(error.description).toContain('https://collect.example.com/request/');
			expect(requests).toEqual([]);
		});
	});
});
