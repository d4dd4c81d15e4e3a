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
		ids: run.outputs.map((items) => items?.map(({ json: item }) => item.error ?? item.requestId)),
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
	[
		'by the invited email who has joined with a phone number alone',
		{
			invited: [{ name: 'Ada', email: ADA, phoneNumber: '+41446681800' }],
			joined: [joined('+41446681800')],
		},
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

test('who has no email is reminded, and a hint names them: an email node stops there', async () => {
	const { reminded, hints } = await toRemind({
		r1: { invited: [{ name: 'Ada' }, { email: BEN }, { phoneNumber: '+41 44 668 18 00' }] },
		r2: {},
		done: { status: 'completed', invited: [{ name: 'Cleo' }] },
	});
	expect(reminded).toEqual([undefined, BEN, '+41 44 668 18 00']);
	expect(hints).toEqual([
		containing('No email is known of Ada, +41 44 668 18 00 and anybody in r2. An email node stops'),
	]);
	expect((await toRemind({ r1: { invited: bothInvited } })).hints).toEqual([]);
});

describe('one that cannot be read, beside one that is completed', () => {
	const done = { status: 'completed', invited: bothInvited };
	const error = 'The service is temporarily unavailable (HTTP 503)';
	type Outcome = { ids: unknown[][] } | { error: object };

	test.each<[INode['onError'], Outcome]>([
		['stopWorkflow', { error: { message: error } }],
		['continueRegularOutput', { ids: [[], ['r1', error]] }],
		['continueErrorOutput', { ids: [[], ['r1'], [error]] }],
	])('with %s', async (onError, outcome) => {
		const run = await toRemind({ r1: done, r2: { fails: 503 } }, { onError });
		expect(run).toMatchObject(outcome);
	});

	test('if nothing could be read, nothing is completed', async () => {
		const run = await toRemind({ r2: { fails: 503 } }, { onError: 'continueRegularOutput' });
		expect(run).toMatchObject({ ids: [[error], []] });
	});

	test('with HTTP 403, it is an error, too: nobody is left out because of it', async () => {
		const run = await toRemind({ r1: done, r2: { fails: 403, invited: bothInvited } });
		const message = 'The API key is not allowed to read the collection request "r2" (HTTP 403)';
		expect(run).toMatchObject({ error: { message }, hints: [] });
	});
});

describe('a share', () => {
	test('that is missing counts as none yet, and a hint says so', async () => {
		const run = await toRemind({
			r1: { invited: [{ email: ADA }], joined: [], shareFails: 404 },
			r2: { invited: bothInvited, joined: [joined(ADA)] },
		});
		expect(run).toMatchObject({ reminded: [ADA, BEN], error: undefined });
		const missing =
			'The service no longer has the share "share-r1" of the collection request "r1" (HTTP 404)';
		expect(run.hints).toEqual([`${missing}. It counts as none yet.`]);
	});

	test.each([403, 422])(
		'that the service refuses (HTTP %i) is an error: nobody who has joined is reminded',
		async (shareFails) => {
			const r1 = { invited: bothInvited, joined: [joined(ADA)], shareFails };
			const { error, json: items } = await toRemind({ r1, r2: { invited: bothInvited } });
			expect([error?.message, items]).toEqual([containing(`(HTTP ${shareFails})`), []]);
		},
	);

	test('is not read if the collection request is completed', async () => {
		const r1 = { status: 'completed', joined: [], shareFails: 503 };
		expect(await toRemind({ r1 })).toMatchObject({ completed: ['r1'], sent: 1 });
	});
});

describe('one that the service no longer has', () => {
	const gone = { gone: { fails: 404 }, deleted: { fails: 410 } };
	const hint =
		'2 of 3 items could not be read. They are left out: The service does not know the collection request "gone" (HTTP 404) and The service no longer has the collection request "deleted" (HTTP 410).';

	test.each<[string, Request, reminded: string[], completed: string[]]>([
		['does not stop the reminders of the others', { invited: bothInvited }, [ADA, BEN], []],
		['holds nobody up when the others are completed', { status: 'completed' }, [], ['r1']],
	])('%s, and a hint names it', async (_title, r1, reminded, completed) => {
		const run = await toRemind({ r1, ...gone });
		expect(run).toMatchObject({ reminded, completed, hints: [hint] });
	});

	test('is an error if there are no others', async () => {
		const { error } = await toRemind(gone);
		expect(error?.message).toContain('not know the collection request "gone"');
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
