import type { INodeParameters } from 'n8n-workflow';
import { CREDENTIAL_EMPTY_VALUE } from 'n8n-workflow';
import { payload, signed } from '../../sandbox/testing/delivery.mts';
import { newExecution, runAction, stopExecution } from './support/engine.mts';
import { json, type Answer } from './support/faultServer.mts';
import { containing, matching } from '../support/matchers.mts';
import { CREATE } from './support/operations.mts';
import { deliver, type HostOptions } from './support/triggerHost.mts';
import { useVirtualTime } from './support/virtualTime.mts';
import {
	ACCEPTED,
	AT_ONCE,
	FOR_EVER,
	IGNORED,
	itemsOf,
	LIMIT,
	linkOf,
	NOT_CHECKED,
	reportedExecution,
	service,
	SHARES,
	type Statuses,
	WAIT,
	wait,
	WAITING,
	waiting,
} from './support/waiting.mts';
import { beforeExecution, putAfterCreate, putIntoAgent } from './support/workflow.mts';

const time = useVirtualTime();

const LIMIT_OF_A_MINUTE = { limitWaitTime: true, resumeAmount: 1, resumeUnit: 'minutes' };
const open = service({ a: 'open', b: 'open' });

/** The output item of a collection request. */
const item = (id: string, more: object) => ({
	requestId: id,
	guestLink: linkOf(id),
	_id: id,
	title: `Title ${id}`,
	isReached: true,
	notification: null,
	timedOut: false,
	...more,
});

describe('it goes on at once', () => {
	test('when all requests have an awaited status, whatever its case', async () => {
		const run = await wait(service({ a: 'completed', b: 'Completed' }), itemsOf('a', 'b'));
		expect(run).toMatchObject({ ...AT_ONCE, hints: [] });
		expect(run.json).toEqual([
			item('a', { shareId: 's-a', shareStatus: 'completed' }),
			item('b', { shareStatus: 'Completed' }),
		]);
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	test('with the shares, if wanted', async () => {
		const run = await wait(service({ a: 'completed' }), itemsOf('a'), SHARES);
		expect(run.json).toMatchObject([{ share: { _id: 's-a' } }]);
	});

	test.each([['that several items name only once', ['a', 'b', 'a', 'a']]])(
		'reading each request %s',
		async (_title, ids) => {
			const run = await wait(service({ a: 'completed', b: 'completed' }), itemsOf(...ids));
			expect(run.error).toBeUndefined();
			expect(run.json.map(({ requestId }) => requestId)).toEqual(ids);
			expect(run.urls.toSorted()).toEqual(['/di/collection-request/a', '/di/collection-request/b']);
		},
	);

	test.each(['closed, completed', '["closed", "completed"]'])(
		'when one text lists the statuses: %s',
		async (text) => {
			const waitForStatuses = `={{ ${JSON.stringify(text)} }}`;
			const parameters = { waitFor: 'statuses', waitForStatuses };
			const answer = service({ a: 'completed', b: 'closed' });
			expect(await wait(answer, itemsOf('a', 'b'), parameters)).toMatchObject(AT_ONCE);
		},
	);

	test('by guest link, and with statuses of its own for each item', async () => {
		const input = [
			{ requestId: `${linkOf('a')}?x=1`, until: 'open' },
			{ requestId: 'b', until: 'completed' },
		];
		const parameters = { waitFor: '={{ $json.until }}' };
		const run = await wait(service({ a: 'open', b: 'completed' }), input, parameters);
		expect(run).toMatchObject(AT_ONCE);
		expect(run.json).toMatchObject([{ shareStatus: 'open' }, { shareStatus: 'completed' }]);
	});
});

describe('it waits', () => {
	test('when one is not there yet, and keeps what was evaluated', async () => {
		const input = [
			{ requestId: 'a', until: ['completed', 'closed'] },
			{ requestId: linkOf('b'), until: ['completed'] },
		];
		const answer = service({ a: 'completed', b: 'open' });
		const statuses = { waitFor: 'statuses', waitForStatuses: '={{ $json.until }}' };
		const run = await wait(answer, input, { ...statuses, ...SHARES });
		expect(run).toMatchObject(FOR_EVER);
		expect(run.kept).toEqual({
			executionId: run.execution.id,
			startedAt: time.now(),
			endsAt: null,
			awaited: [
				{ requestId: 'a', statuses: ['completed', 'closed'] },
				{ requestId: 'b', statuses: ['completed'] },
			],
			needed: 2,
			includeShare: true,
			known: [
				['a', ['completed']],
				['b', ['open']],
			],
		});
	});

	test('until the limit, which each field may give by an expression', async () => {
		const inTwoDays = new Date(time.now() + 2 * 86_400_000);
		const input = [{ requestId: 'a', until: inTwoDays.toISOString() }];
		const { until } = await wait(open, input, {
			limitWaitTime: true,
			limitType: 'atSpecifiedTime',
			maxDateAndTime: '={{ $json.until }}',
		});
		expect(until).toEqual(inTwoDays);
	});

	test('and hands on its input when the limit ends it, with its own names and the files', async () => {
		const binary = { data: { data: 'aGVsbG8=', mimeType: 'text/plain' } };
		beforeExecution((context) => {
			for (const item of context.getInputData()) item.binary = binary;
		});
		const input = [
			{ requestId: 'another', guestLink: 'x', timedOut: 'no', error: 'e', id: 'a' },
			{ name: 'Zoe', id: 'b' },
		];
		const { expired } = await wait(open, input, { requestId: '={{ $json.id }}', ...LIMIT });
		expect(expired).toEqual(
			['a', 'b'].map((requestId, item) => ({
				json: {
					...input[item],
					requestId,
					guestLink: linkOf(requestId),
					isReached: false,
					timedOut: true,
				},
				binary,
				pairedItem: { item },
			})),
		);
	});

	test('100 requests, each read once, at most 20 at a time', async () => {
		let underWay = 0;
		let most = 0;
		const ids = Array.from({ length: 100 }, (_, index) => `r${index}`);
		const answer = service(Object.fromEntries(ids.map((id) => [id, 'open'])));
		const slow: Answer = (...received) => {
			most = Math.max(most, (underWay += 1));
			setTimeout(() => {
				underWay -= 1;
				answer(...received);
			}, 2);
		};
		const run = await wait(slow, itemsOf(...ids));
		expect(run).toMatchObject({ ...FOR_EVER, sent: 100 });
		expect(new Set(run.urls).size).toBe(100);
		expect(most).toBeLessThanOrEqual(20);
	});

	test('with Execute Once for the first item alone', async () => {
		const settings = { executeOnce: true };
		const { expired, urls } = await wait(open, itemsOf('a', 'b'), {}, { settings });
		expect(expired).toHaveLength(1);
		expect(urls).toEqual(['/di/collection-request/a']);
	});

	test.each<[string, Answer]>([
		['hang', () => void setImmediate(() => time.advance(30_000))],
		['are asked to pause', json(503, {}, { 'retry-after': '6' })],
		['fail', json(500, {})],
	])('although its reads %s: as long as the retries last, and a hint', async (_title, answer) => {
		const run = await wait(answer, itemsOf('a', 'b'));
		// Both are read twice, with three attempts at most.
		expect(run.urls.length).toBeLessThanOrEqual(2 * 2 * 3);
		const message = containing('2 of 2 collection requests could not be read before the wait');
		expect(run).toMatchObject({ ...FOR_EVER, hints: [{ message }] });
	});

	test('for the others when the service does not return one of them, and says so', async () => {
		const run = await wait(open, itemsOf('a', 'nothing'));
		const message = containing('does not return 1 of 2 collection requests');
		expect(run).toMatchObject({ ...FOR_EVER, hints: [{ message }] });
	});
});

describe('a wait that nothing can end is refused', () => {
	const nowhere = { execution: newExecution() };
	const NOWHERE = 'Nothing can end this wait: no status changes are reported to this execution';

	test.each(['none', 'wait', '={{ $json.notify }}'])(
		'when no Create has reported to it, whatever its parameters say: %s',
		async (notify) => {
			putAfterCreate(notify);
			const description = containing('In "Ask them", choose "A Wait Operation');
			const run = await wait(open, itemsOf('a'), {}, nowhere);
			expect(run).toMatchObject({ error: { message: NOWHERE, description }, until: undefined });
		},
	);

	test('after a retry, because the service still reports to the first execution', async () => {
		const { contextData } = await reportedExecution();
		const execution = { ...newExecution(), contextData };
		const { error, until } = await wait(open, itemsOf('a'), {}, { execution });
		expect(error?.message).toBe(
			'Nothing can end this wait: status changes are reported to another execution',
		);
		expect(until).toBeUndefined();
	});

	test.each<[string, INodeParameters]>([
		['it has a limit', LIMIT],
		['it ends at once', { waitFor: 'open' }],
	])('but not when %s', async (_title, parameters) => {
		const run = await wait(open, itemsOf('a'), parameters, nowhere);
		expect(run).toMatchObject({ error: undefined, hints: [] });
	});

	test('but not when it has a limit, and its credential is one that notifications could not use', async () => {
		const credential = { apiKey: '={{ $json.key }}' };
		const input = [{ requestId: 'a', key: 'key-of-the-item' }];
		const run = await wait(open, input, LIMIT, { ...nowhere, credential });
		expect(run).toMatchObject({ error: undefined, until: new Date(time.now() + 15 * 60_000) });
	});
});

describe('in a manual execution it looks for itself', () => {
	const manual = () => ({ execution: { ...newExecution(), mode: 'manual' as const } });

	test('every five seconds, until all are there', async () => {
		putAfterCreate('wait');
		const statuses: Statuses = { a: 'open', b: 'completed' };
		time.onSleep = () => {
			if (time.slept.length === 3) statuses.a = 'completed';
		};
		const run = await wait(service(statuses), itemsOf('a', 'b'), {}, manual());
		expect(run).toMatchObject(AT_ONCE);
		expect(run.json).toMatchObject([{ shareStatus: 'completed' }, { shareStatus: 'completed' }]);
		expect(time.slept).toEqual([5_000, 5_000, 5_000]);
		expect(run.urls.filter((url) => url.endsWith('/b'))).toHaveLength(1);
	});

	test('for ten minutes, and then waits as in production', async () => {
		const before = time.now();
		const execution = await reportedExecution({ ...newExecution(), mode: 'manual' });
		expect(await wait(open, itemsOf('a'), {}, { execution })).toMatchObject(FOR_EVER);
		expect(time.now() - before).toBeGreaterThanOrEqual(600_000);
	});

	test('until the limit, which then gives out the items at once', async () => {
		const before = time.now();
		const run = await wait(open, itemsOf('a'), LIMIT_OF_A_MINUTE, manual());
		expect(run).toMatchObject({ ...AT_ONCE, json: [{ requestId: 'a', timedOut: true }] });
		expect(time.now() - before).toBeLessThan(61_000);
	});

	test('until it is cancelled', async () => {
		putAfterCreate('wait');
		time.onSleep = stopExecution;
		const { error } = await wait(open, itemsOf('a'), {}, manual());
		expect(error?.message).toBe('The execution was cancelled');
	});

	test('but is refused first when its Create reports to nobody', async () => {
		putAfterCreate('none');
		const { error } = await wait(open, itemsOf('a'), {}, manual());
		expect(error?.message).toContain('Nothing can end this wait');
		expect(time.slept).toEqual([]);
	});
});

describe('it is refused before anything waits', () => {
	const UNKNOWN = 'The service does not know the collection request "nothing" (HTTP 404)';

	test('when the service knows none of the requests: nothing would ever end it', async () => {
		const run = await wait(open, itemsOf('nothing', 'nothing'));
		expect(run.error).toMatchObject({ message: UNKNOWN, context: { itemIndex: 0 } });
		expect(run.until).toBeUndefined();
	});

	test('with Continue On Fail as well: each item has the error', async () => {
		const settings = { onError: 'continueRegularOutput' as const };
		const run = await wait(open, itemsOf('nothing', 'nothing'), {}, { settings });
		expect(run).toMatchObject({ ...AT_ONCE, json: [{ error: UNKNOWN }, { error: UNKNOWN }] });
	});

	test('when it is cancelled while it reads', async () => {
		const { error, until } = await wait(stopExecution, itemsOf('a'));
		expect(error?.message).toBe('The execution was cancelled');
		expect(until).toBeUndefined();
	});

	test('for an item without a request ID, and shows where to take it from', async () => {
		const run = await wait(open, [{ requestId: 'a' }, { accepted: [] }]);
		const error = { message: 'Request ID is empty', context: { itemIndex: 1 } };
		expect(run).toMatchObject({ error, sent: 0 });
	});

	test('inside the process of an older agent, whose input stays as it was', async () => {
		const agent = putIntoAgent();
		const before = structuredClone(agent.data);
		const message = 'A tool cannot wait inside the process of an AI Agent';
		expect(await wait(open, itemsOf('a'))).toMatchObject({ error: { message }, sent: 0 });
		expect(agent.data).toEqual(before);
	});
});

test('Create hands out a resume URL with a path of its own, and the token stays in the query', async () => {
	const parameters = { ...CREATE, notify: 'wait' };
	const { requests } = await runAction({ parameters, answer: json(201, { _id: 'r1' }) });
	expect(JSON.parse(requests[0]?.body ?? '{}')).toMatchObject({
		webhookUrl: matching(
			/^http:\/\/localhost:5678\/webhook-waiting\/[^/?]+\/data-collection\?signature=.+$/,
		),
		webhookSecret: matching(/./),
	});
});

// How a notification affects a waiting execution.

const UNVERIFIED = '401 unverified';
const NOT_CONFIGURED = '500 not configured';
const EMPTY = { previousWebhookSecrets: ` \n${CREDENTIAL_EMPTY_VALUE}\n` };

test('the last awaited status ends the wait, with all items in their order', async () => {
	const { statuses, notify, started } = await waiting(['a', 'b', 'a']);
	statuses.a = 'completed';
	expect(await notify({ requestId: 'a' })).toBe(WAITING);
	statuses.b = 'completed';
	expect(await notify({ requestId: 'b' })).toBe(ACCEPTED);
	const shareStatus = 'completed';
	const notification = { requestId: 'b', shareStatus, deliveryId: matching(/./) };
	expect(started).toMatchObject([
		item('a', { shareStatus }),
		item('b', { shareStatus, notification }),
		item('a', { shareStatus }),
	]);
	expect(Object.keys(started[0] ?? {}).slice(0, 2)).toEqual(['requestId', 'guestLink']);
});

test('the status of the notification counts, although the service still reads as before', async () => {
	const { notify, started } = await waiting(['a']);
	expect(await notify({ requestId: 'a', shareStatus: 'COMPLETED' })).toBe(ACCEPTED);
	expect(started).toMatchObject([{ requestId: 'a', shareStatus: 'COMPLETED' }]);
});

test.each([
	['another status leaves it waiting', { requestId: 'a', shareStatus: 'open' }, WAITING],
	['a request that is not awaited is ignored', { requestId: 'of an earlier wait' }, IGNORED],
])('%s, and nothing is read', async (_title, changes, expected) => {
	const { notify, started, urls } = await waiting(['a', 'b']);
	expect([await notify(changes), started, urls()]).toEqual([expected, [], []]);
});

test.each([null, '', undefined])(
	'a notification whose status is %j makes the service be asked',
	async (shareStatus) => {
		const { statuses, notify, started } = await waiting(['a']);
		expect(await notify({ requestId: 'a', shareStatus })).toBe(WAITING);
		statuses.a = 'completed';
		expect(await notify({ requestId: 'a', shareStatus })).toBe(ACCEPTED);
		expect(started).toMatchObject([{ shareStatus: 'completed' }]);
	},
);

test("the service's own ID counts, although it took another one", async () => {
	const statuses = { AB12: json(200, { _id: 'ab12', shareStatus: 'open' }), ab12: 'open' };
	const { notify, started } = await waiting(['AB12'], { statuses });
	expect(await notify({ requestId: 'AB12' })).toBe(IGNORED);
	expect(await notify({ requestId: 'ab12' })).toBe(ACCEPTED);
	expect(started).toMatchObject([{ requestId: 'ab12', notification: { requestId: 'ab12' } }]);
});

test('an execution that has kept nothing takes nothing', async () => {
	const sent = signed({ body: payload({ requestId: 'a' }), timestamp: String(time.now()) });
	const nothing = { resultData: { runData: {} } } as never;
	const { responses, started } = await deliver([sent], { parameters: WAIT, waiting: nothing });
	expect([responses, started]).toEqual([[IGNORED], []]);
});

test('what was evaluated counts, not what the expressions give at the resume', async () => {
	const { notify, started } = await waiting(['a'], {
		parameters: { waitFor: 'statuses', waitForStatuses: '={{ ["closed"] }}' },
		host: { parameters: { ...WAIT, waitFor: '={{ $json.nothing }}' } },
	});
	expect(await notify({ requestId: 'a', shareStatus: 'completed' })).toBe(WAITING);
	expect(await notify({ requestId: 'a', shareStatus: 'closed' })).toBe(ACCEPTED);
	expect(started).toHaveLength(1);
});

describe('when the service fails at that moment', () => {
	test.each<[string, Answer]>([
		['with 500', json(500, {})],
		['with a pause that is too long', json(503, {}, { 'retry-after': '31' })],
		['by hanging', () => void setImmediate(() => time.advance(90_000))],
	])('%s: not checked, and a later notification ends the wait', async (_title, broken) => {
		const { statuses, notify, started, logged } = await waiting(['a', 'b']);
		statuses.b = broken;
		expect(await notify({ requestId: 'a' })).toBe(NOT_CHECKED);
		expect(logged.join('\n')).toMatch(/^Delivery not checked.* service .*"node":"Node"/);
		expect(started).toEqual([]);
		statuses.a = 'completed';
		expect(await notify({ requestId: 'b' })).toBe(ACCEPTED);
		expect(started).toHaveLength(2);
	});

	test('and another collection request is not there yet, it goes on waiting in any case', async () => {
		const { statuses, notify } = await waiting(['a', 'b', 'c']);
		statuses.c = json(500, {});
		expect(await notify({ requestId: 'a' })).toBe(WAITING);
	});
});

describe('with the share', () => {
	test('of the request', async () => {
		const { statuses, notify, started } = await waiting(['a'], { parameters: SHARES });
		statuses.a = 'completed';
		expect(await notify({ requestId: 'a' })).toBe(ACCEPTED);
		expect(started).toMatchObject([{ share: { _id: 's-a' } }]);
	});

	test.each([404, 500])('that cannot be read, HTTP %s: the item says why', async (status) => {
		const { statuses, notify, started } = await waiting(['a'], { parameters: SHARES });
		statuses.a = 'completed';
		statuses['s-a'] = json(status, {});
		expect(await notify({ requestId: 'a' })).toBe(ACCEPTED);
		const readError = containing(`HTTP ${status}`);
		expect(started).toMatchObject([{ shareStatus: 'completed', share: null, readError }]);
	});
});

test('an ID of the service that has a secret in it is stored hidden', async () => {
	const answer = json(200, { _id: 'x-sandbox-api-key', shareStatus: 'open' });
	const { expired, kept } = await wait(answer, itemsOf('a'));
	expect(expired).toMatchObject([{ json: { requestId: 'x-(hidden)' } }]);
	expect(JSON.stringify(kept)).not.toContain('sandbox-api-key');
});

describe('a status that equals the token ID is compared as it is, and put out hidden', () => {
	const credential = { tokenId: 'completed' };

	test('when it is read', async () => {
		const run = await wait(service({ a: 'completed' }), itemsOf('a'), {}, { credential });
		expect(run).toMatchObject(AT_ONCE);
		expect(run.json).toMatchObject([{ requestId: 'a', shareStatus: '(hidden)' }]);
	});

	test('when it is reported', async () => {
		const { notify, started } = await waiting(['a'], { host: { credential } });
		expect(await notify({ requestId: 'a' })).toBe(ACCEPTED);
		expect(started).toMatchObject([{ requestId: 'a', shareStatus: '(hidden)' }]);
	});
});

describe('a credential that changes while it waits', () => {
	test('a notification signed with a previous webhook secret ends it', async () => {
		const credential = {
			webhookSecret: 'a newer webhook secret',
			previousWebhookSecrets: 'another webhook secret\nthe older webhook secret',
		};
		const { notify } = await waiting(['a'], { host: { credential } });
		expect(await notify({ requestId: 'a' })).toBe(UNVERIFIED);
		expect(await notify({ requestId: 'a' }, 'the older webhook secret')).toBe(ACCEPTED);
	});

	test('one that has been deleted leaves it waiting', async () => {
		const onRead = () => {
			throw new Error('Credential with ID "1" does not exist');
		};
		const { notify, started, logged } = await waiting(['a'], { host: { onRead } });
		expect(await notify({ requestId: 'a' })).toBe(NOT_CONFIGURED);
		expect(logged.join()).toContain('does not exist');
		expect(started).toEqual([]);
	});
});

test('100 requests: it stops at the first that is not there yet', async () => {
	const ids = Array.from({ length: 100 }, (_, index) => `r${index}`);
	const { statuses, notify, urls, started } = await waiting(ids);
	expect(await notify({ requestId: 'r99' })).toBe(WAITING);
	expect(urls().length).toBeLessThanOrEqual(40);
	for (const id of ids) statuses[id] = 'completed';
	expect(await notify({ requestId: 'r99' })).toBe(ACCEPTED);
	expect(started.map(({ requestId }) => requestId)).toEqual(ids);
});

test.each<[string, string | undefined, number, HostOptions['credential'], string]>([
	["signed with n8n's text for an empty field", CREDENTIAL_EMPTY_VALUE, 0, EMPTY, UNVERIFIED],
	['without a secret in the credential', undefined, 0, { webhookSecret: '' }, NOT_CONFIGURED],
	['a minute too old', undefined, 360_000, {}, UNVERIFIED],
])('a notification %s does not end it', async (_title, secret, ago, credential, expected) => {
	const { notify, started, urls } = await waiting(['a'], { host: { credential } });
	expect(await notify({ requestId: 'a' }, secret, time.now() - ago)).toBe(expected);
	expect([started, urls()]).toEqual([[], []]);
});
