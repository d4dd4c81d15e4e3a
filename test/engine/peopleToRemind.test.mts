import type { INode } from 'n8n-workflow';
import { containing } from '../support/matchers.mts';
import { runAction } from './support/engine.mts';
import { by, having, json } from './support/faultServer.mts';

const ADA = 'ada@example.com';
const BEN = 'ben@example.com';
const BOSS = 'boss@example.com';
const bothInvited = [{ email: ADA }, { email: BEN }];

/** Somebody in the share, with an email or a phone number. */
const joined = (contact: string, ...roles: string[]) => ({
	account_id: `account of ${contact}`,
	accountType: 'user',
	accountSnapshot: contact.includes('@') ? { email: contact } : { phoneNumber: contact },
	roles,
});
const organisers = [joined(BOSS, 'organiser'), joined('it@example.com', 'admin')];

interface Request {
	status?: string;
	invited?: object[];
	joined?: object[];
	/** The HTTP status of the collection request or of its share, if it cannot be read. */
	fails?: number;
	shareFails?: number;
}

/** Runs Get People to Remind for these collection requests, by their IDs, for each ID once by default. */
async function toRemind(
	requests: Record<string, Request>,
	settings: Partial<INode> = {},
	ids = Object.keys(requests),
) {
	const resources = Object.entries(requests).flatMap(([id, request]) => {
		const { status = 'open', invited = [], joined: participants } = request;
		const shareId = participants && `share-${id}`;
		const fields = { _id: id, shareStatus: status, participantList: invited, shareId };
		return [
			[`collection-request/${id}`, fields],
			[`share/share-${id}`, { _id: shareId, participants }],
		] as const;
	});
	const found = having(Object.fromEntries<unknown>(resources));
	const run = await runAction({
		parameters: {
			resource: 'collectionRequest',
			operation: 'getPeopleToRemind',
			requestId: '={{ $json.requestId }}',
		},
		input: ids.map((requestId) => ({ requestId })),
		answer: by(({ url }) => {
			const [, , resource, id = ''] = url.split('/');
			const { fails, shareFails } = requests[id.replace('share-', '')] ?? {};
			const status = resource === 'share' ? shareFails : fails;
			return status === undefined ? found : json(status, {});
		}),
		settings,
	});
	const [first = [], second = []] = run.outputs;
	return {
		...run,
		hints: run.hints.map(({ message }) => message),
		reminded: first?.map(({ json: item }) => item.email ?? item.phoneNumber ?? item.error),
		completed: second?.map(({ json: item }) => item.requestId),
	};
}

test.each<[string, Request, string[]]>([
	['those who have not joined', { invited: bothInvited, joined: [joined(ADA)] }, [BEN]],
	[
		'everybody if all have joined: somebody has not submitted',
		{ invited: bothInvited, joined: [joined(ADA, 'sharer'), joined(BEN, 'sharer')] },
		[ADA, BEN],
	],
	[
		'people without an email, matched by their phone number without its spaces',
		{
			invited: [{ phoneNumber: '+41 44 668 18 00' }, { phoneNumber: '+41 (44) 000-00-00' }],
			joined: [joined('+41446681800')],
		},
		['+41 (44) 000-00-00'],
	],
	[
		'not who has joined with an address that was entered in another form',
		{
			invited: [{ email: `"Lovelace, Ada" <${ADA.toUpperCase()}>;` }, ...bothInvited.slice(1)],
			joined: [joined(ADA)],
		},
		[BEN],
	],
	[
		'not who organises it without an invitation',
		{ invited: [{ email: ADA }], joined: [joined(ADA, 'sharer'), ...organisers] },
		[ADA],
	],
	['nor if nobody was invited', { joined: [joined(BEN, 'sharer'), ...organisers] }, [BEN]],
	['but with an invitation', { invited: [{ email: BOSS }], joined: organisers }, [BOSS]],
])('it reminds %s', async (_title, request, reminded) => {
	expect(await toRemind({ r1: request })).toMatchObject({ reminded, completed: [] });
});

test('the account is named, so that the history can be joined with it', async () => {
	const { json: people } = await toRemind({
		r1: { invited: [{ email: ADA }], joined: [joined(ADA)] },
	});
	expect(people).toMatchObject([{ accountId: `account of ${ADA}`, email: ADA }]);
});

test('nobody of a completed one, as long as others are open', async () => {
	const { reminded, completed, items } = await toRemind({
		done: { status: 'Completed', invited: bothInvited },
		late: { invited: bothInvited, joined: [joined(BEN)] },
	});
	expect([reminded, completed]).toEqual([[ADA], []]);
	expect(items).toMatchObject([{ pairedItem: { item: 1 } }]);
});

test('when all are completed, each leaves by the second output, once', async () => {
	const done = { status: 'completed', invited: bothInvited };
	const { outputs } = await toRemind({ r1: done, r2: done }, {}, ['r1', 'r1', 'r2']);
	const itemOf = (requestId: string, item: number) => ({
		json: {
			requestId,
			guestLink: `https://collect.example.com/request/${requestId}`,
			shareStatus: 'completed',
		},
		pairedItem: { item },
	});
	expect(outputs).toEqual([[], [itemOf('r1', 0), itemOf('r2', 2)]]);
});

test('a hint says if no Wait comes after it, to which the reminders lead back', async () => {
	const { hints } = await toRemind({ r1: { invited: bothInvited } });
	expect(hints).toEqual([containing('No Wait comes after this node')]);
	expect((await toRemind({ r1: { status: 'completed' } })).hints).toEqual([]);
});

test('with Continue On Fail, one that cannot be read does not count as completed', async () => {
	const requests = { r1: { status: 'completed' }, r2: { fails: 422 } };
	expect(await toRemind(requests, { onError: 'continueRegularOutput' })).toMatchObject({
		reminded: ['The service refused the request to read the collection request "r2" (HTTP 422)'],
		completed: [],
	});
});

describe('one that the service no longer has', () => {
	const gone = { gone: { fails: 404 }, deleted: { fails: 410 } };
	const hints = [
		'The service does not know the collection request "gone" (HTTP 404). It is left out, and holds nobody up.',
		'The service no longer has the collection request "deleted" (HTTP 410). It is left out, and holds nobody up.',
	];

	test.each<[string, Request, reminded: string[], completed: string[]]>([
		['does not stop the reminders of the others', { invited: bothInvited }, [ADA, BEN], []],
		['holds nobody up when the others are completed', { status: 'completed' }, [], ['r1']],
	])('%s, and a hint names it', async (_title, r1, reminded, completed) => {
		const run = await toRemind({ r1, ...gone });
		expect(run).toMatchObject({ reminded, completed });
		expect(run.hints.filter((hint) => hint.includes('holds nobody up'))).toEqual(hints);
	});

	test.each<[string, Record<string, Request>, string]>([
		['is an error if there are no others', gone, 'not know the collection request "gone"'],
		[
			'is not one whose share alone is missing',
			{ r1: { invited: bothInvited, joined: [], shareFails: 404 } },
			'does not know the share "share-r1"',
		],
	])('%s', async (_title, requests, message) => {
		expect((await toRemind(requests)).error?.message).toContain(message);
	});
});

test('as a tool, it says that all are completed: an agent sees the first output only', async () => {
	const settings = { type: 'n8n-nodes-data-collection.dataCollectionTool' };
	const { json: items } = await toRemind({ r1: { status: 'completed' } }, settings);
	expect(items).toMatchObject([{ requestId: 'r1', shareStatus: 'completed', allCompleted: true }]);
});

test.each<[string, Partial<INode>, number]>([
	['Nobody can be reminded: the service names no participants', {}, 1],
	['Always Output Data cannot be used with this operation', { alwaysOutputData: true }, 0],
	// The other collection requests would be forgotten.
	['Execute Once cannot be used with this operation', { executeOnce: true }, 0],
])('it is refused: %s', async (message, settings, sent) => {
	expect(await toRemind({ r1: {} }, settings)).toMatchObject({ error: { message }, sent });
});
