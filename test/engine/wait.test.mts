import type { INodeParameters } from 'n8n-workflow';
import { CREDENTIAL_EMPTY_VALUE, WAIT_INDEFINITELY } from 'n8n-workflow';
import { payload, signed } from '../support/delivery.mts';
import { CREDENTIAL } from './support/credential.mts';
import { newExecution, stopExecution } from './support/engine.mts';
import { json, type Answer } from './support/faultServer.mts';
import { containing, matching } from '../support/matchers.mts';
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
	type Statuses,
	WAIT,
	wait,
	WAITING,
	waiting,
} from './support/waiting.mts';
import { putAfterCreate, putIntoAgent } from './support/workflow.mts';

const time = useVirtualTime();

const LIMIT_OF_A_MINUTE = { limitWaitTime: true, resumeAmount: 1, resumeUnit: 'minutes' };
const open = service({ a: 'open', b: 'open' });

/** The item of a collection request that leaves by Done. */
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

/** All that leaves by Timed Out for a collection request. */
const timedOutItem = (requestId: string) => ({
	requestId,
	guestLink: linkOf(requestId),
	timedOut: true,
});

describe('it goes on at once', () => {
	test('when all requests have an awaited status, whatever its case', async () => {
		const run = await wait(service({ a: 'completed', b: 'Completed' }), itemsOf('a', 'b'));
		expect(run).toMatchObject({ ...AT_ONCE, hints: [] });
		expect(run.json).toEqual([
			item('a', { shareStatus: 'completed' }),
			item('b', { shareStatus: 'Completed' }),
		]);
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(run.outputs[1]).toEqual([]);
	});

	test('each collection request once, linked to the first item that names it', async () => {
		const input = itemsOf('b', 'a', 'b', 'a');
		const run = await wait(service({ a: 'completed', b: 'completed' }), input);
		expect(run.json.map(({ requestId }) => requestId)).toEqual(['b', 'a']);
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(run.urls.toSorted()).toEqual(['/di/collection-request/a', '/di/collection-request/b']);
	});

	test('with nothing of the input but the ID', async () => {
		const input = [{ requestId: 'a', guestLink: 'x', name: 'Ada', error: 'e' }];
		const run = await wait(service({ a: 'completed' }), input);
		expect(run.json).toEqual([item('a', { shareStatus: 'completed' })]);
	});

	test.each(['closed, completed', '["closed", "completed"]'])(
		'when one text lists the statuses: %s',
		async (text) => {
			const waitForStatuses = `={{ ${JSON.stringify(text)} }}`;
			const parameters = { waitFor: 'statuses', waitForStatuses };
			const answer = service({ a: 'completed', b: 'closed' });
			expect(await wait(answer, itemsOf('a', 'b'), parameters)).toMatchObject(AT_ONCE);
		},
	);

	test('opened: those that are completed by now are there, too', async () => {
		const answer = service({ a: 'open', b: 'completed' });
		const run = await wait(answer, itemsOf('a', 'b'), { waitFor: 'open' });
		expect(run).toMatchObject(AT_ONCE);
		expect(run.json).toMatchObject([{ shareStatus: 'open' }, { shareStatus: 'completed' }]);
	});

	test('by guest link', async () => {
		const input = [{ requestId: `${linkOf('a')}?x=1` }];
		const run = await wait(service({ a: 'completed' }), input);
		expect(run.json).toMatchObject([{ requestId: 'a', isReached: true }]);
	});
});

describe('it waits', () => {
	test('when one is not there yet, and stores what was evaluated', async () => {
		const input = [{ requestId: 'a', until: ['completed', 'closed'] }, { requestId: 'b' }];
		const statuses = { waitFor: 'statuses', waitForStatuses: '={{ $json.until }}' };
		const options = { maximumAge: 60 };
		const answer = service({ a: 'completed', b: 'open' });
		const run = await wait(answer, input, { ...statuses, options });
		expect(run).toMatchObject(FOR_EVER);
		expect(run.kept).toEqual({
			executionId: run.execution.id,
			startedAt: time.now(),
			endsAt: WAIT_INDEFINITELY.getTime(),
			maximumAge: 60,
			requestIds: ['a', 'b'],
			statuses: ['completed', 'closed'],
			needed: 2,
			reached: [['a', 'completed']],
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

	test('and if the limit ends it, all leave by Timed Out, and claim nothing', async () => {
		const input = [
			{ requestId: 'a', isReached: true },
			{ requestId: 'b', name: 'Zoe' },
		];
		const answer = service({ a: 'completed', b: 'open' });
		const { timedOut } = await wait(answer, input, LIMIT);
		expect(timedOut).toEqual([
			{ json: timedOutItem('a'), pairedItem: { item: 0 } },
			{ json: timedOutItem('b'), pairedItem: { item: 1 } },
		]);
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
		const { timedOut, urls } = await wait(open, itemsOf('a', 'b'), {}, { settings });
		expect(timedOut).toHaveLength(1);
		expect(urls).toEqual(['/di/collection-request/a']);
	});

	test.each<[string, Answer]>([
		['hang', () => void setImmediate(() => time.advance(30_000))],
		['are asked to pause', json(503, {}, { 'retry-after': '6' })],
		['fail', json(500, {})],
	])('although its reads %s: as long as the retries last', async (_title, answer) => {
		const run = await wait(answer, itemsOf('a', 'b'));
		// Both are read twice, with three attempts at most.
		expect(run.urls.length).toBeLessThanOrEqual(2 * 2 * 3);
		expect(run).toMatchObject(FOR_EVER);
	});

	test('for the others when the service does not return one of them', async () => {
		expect(await wait(open, itemsOf('nothing', 'a'))).toMatchObject(FOR_EVER);
	});

	test('with an error output: n8n must not empty what times out', async () => {
		const settings = { onError: 'continueErrorOutput' as const };
		const { timedOut } = await wait(open, itemsOf('a'), LIMIT, { settings });
		expect(timedOut).toMatchObject([{ json: timedOutItem('a') }]);
	});
});

describe('a wait that nothing can end is refused', () => {
	const NOWHERE = 'Nothing can end this wait: no status changes are reported to this execution';
	const refused = (message: string) => ({ error: { message }, until: undefined });

	test.each(['none', 'wait', '={{ $json.notify }}'])(
		'when no Create has reported to it, whatever its parameters say: %s',
		async (notify) => {
			putAfterCreate(notify);
			const execution = newExecution();
			const run = await wait(open, itemsOf('a'), {}, { execution });
			expect(run).toMatchObject(refused(NOWHERE));
			expect(run.error?.description).toContain('in "Ask them" on "A Wait Later');
		},
	);

	test('when the Create of this execution reports on others', async () => {
		const execution = await reportedExecution(['other']);
		expect(await wait(open, itemsOf('a'), {}, { execution })).toMatchObject(refused(NOWHERE));
	});

	test('when one of several is not reported', async () => {
		const execution = await reportedExecution(['a']);
		const run = await wait(open, itemsOf('a', 'b'), {}, { execution });
		expect(run).toMatchObject(refused(NOWHERE));
	});

	test('after a retry, because the service still reports to the first execution', async () => {
		const { contextData } = await reportedExecution(['a']);
		const execution = { ...newExecution(), contextData };
		const run = await wait(open, itemsOf('a'), {}, { execution });
		expect(run).toMatchObject(refused(NOWHERE));
		expect(run.error?.description).toContain('when an execution is retried');
	});

	describe('when its credential has not the webhook secret of Create', () => {
		const webhookSecret = 'a webhook secret of another credential';

		const message =
			'Nothing can end this wait: its credential has another webhook secret than that of Create';

		test('it is refused', async () => {
			const run = await wait(open, itemsOf('a'), {}, { credential: { webhookSecret } });
			expect(run).toMatchObject(refused(message));
		});

		test('also if that is so for only one of several', async () => {
			const first = await reportedExecution(['a']);
			const execution = await reportedExecution(['b'], first, { webhookSecret });
			const run = await wait(open, itemsOf('a', 'b'), {}, { execution });
			expect(run).toMatchObject(refused(message));
		});

		test('but not if it is among the previous ones', async () => {
			const { webhookSecret: previousWebhookSecrets } = CREDENTIAL;
			const credential = { webhookSecret, previousWebhookSecrets };
			expect(await wait(open, itemsOf('a'), {}, { credential })).toMatchObject(FOR_EVER);
		});
	});

	test.each<[string, INodeParameters]>([
		['it has a limit', LIMIT],
		['it ends at once', { waitFor: 'open' }],
	])('but not when %s', async (_title, parameters) => {
		const run = await wait(open, itemsOf('a'), parameters, { execution: newExecution() });
		expect(run).toMatchObject({ error: undefined, hints: [] });
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
		putAfterCreate('wait');
		const execution = await reportedExecution(['a'], { ...newExecution(), mode: 'manual' });
		const before = time.now();
		expect(await wait(open, itemsOf('a'), {}, { execution })).toMatchObject(FOR_EVER);
		expect(time.now() - before).toBeGreaterThanOrEqual(600_000);
	});

	test.each(['wait', '={{ $json.notify }}'])(
		'for ten minutes, and is refused then if nothing is reported to this execution: %s',
		async (notify) => {
			putAfterCreate(notify);
			const before = time.now();
			const { error } = await wait(open, itemsOf('a'), {}, manual());
			expect(error?.message).toContain('no status changes are reported to this execution');
			expect(time.now() - before).toBeGreaterThanOrEqual(600_000);
		},
	);

	test('until the limit, and then leaves by Timed Out at once', async () => {
		const before = time.now();
		const run = await wait(open, itemsOf('a'), LIMIT_OF_A_MINUTE, manual());
		expect(run).toMatchObject({ ...AT_ONCE, json: [] });
		expect(run.outputs[1]).toEqual([{ json: timedOutItem('a'), pairedItem: { item: 0 } }]);
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
		expect(run).toMatchObject({ error: { message: UNKNOWN }, until: undefined });
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
		const input = [{ requestId: 'a' }, { accepted: [] }];
		const run = await wait(open, input, {}, { execution: newExecution() });
		const error = { message: 'Request ID is empty', context: { itemIndex: 1 } };
		expect(run).toMatchObject({ error, sent: 0 });
	});

	test('when nothing has been created before it', async () => {
		const run = await wait(open, itemsOf('a'), { which: 'created' });
		const message = 'No collection request has been created before this node in this execution';
		const description = containing('set Collection Requests to By Request ID');
		expect(run).toMatchObject({ error: { message, description }, sent: 0 });
	});

	test('with Always Output Data, which would send an empty item out of Done', async () => {
		const settings = { alwaysOutputData: true };
		const run = await wait(open, itemsOf('a'), {}, { settings });
		const message = 'Always Output Data cannot be used with this operation';
		expect(run).toMatchObject({ error: { message }, sent: 0 });
	});

	test('inside the process of an older agent, whose input stays as it was', async () => {
		const agent = putIntoAgent();
		const before = structuredClone(agent.data);
		const message = 'A tool cannot wait inside the process of an AI Agent';
		const execution = newExecution();
		const run = await wait(open, itemsOf('a'), {}, { execution });
		expect(run).toMatchObject({ error: { message }, sent: 0 });
		expect(agent.data).toEqual(before);
	});
});

// How a notification affects a waiting execution.

const UNVERIFIED = '401 unverified';
const NOT_CONFIGURED = '500 not configured';
const EMPTY = { previousWebhookSecrets: ` \n${CREDENTIAL_EMPTY_VALUE}\n` };

test('the last awaited status ends the wait: all leave by Done, in their order', async () => {
	const { statuses, notify, outputs } = await waiting(['a', 'b', 'a']);
	statuses.a = 'completed';
	expect(await notify({ requestId: 'a' })).toBe(WAITING);
	statuses.b = 'completed';
	expect(await notify({ requestId: 'b', webhookIdentifier: 'x' })).toBe(ACCEPTED);
	const [done = [], timedOut] = outputs;
	expect(done.map(({ json }) => json)).toMatchObject([
		item('a', { shareStatus: 'completed' }),
		item('b', { shareStatus: 'completed', notification: { requestId: 'b' } }),
	]);
	expect(timedOut).toEqual([]);
	expect(Object.keys(done[0]?.json ?? {}).slice(0, 2)).toEqual(['requestId', 'guestLink']);
	expect(Object.keys(done[1]?.json.notification ?? {})).toEqual([
		'event',
		'requestId',
		'guestLink',
		'shareStatus',
		'webhookIdentifier',
		'timestamp',
		'notifiedAt',
		'deliveryId',
	]);
	expect(done[1]?.json.notification).toMatchObject({
		guestLink: linkOf('b'),
		notifiedAt: matching(/^\d{4}-\d\d-\d\dT.*Z$/),
	});
});

test('the status of the notification counts, although the service still reads as before', async () => {
	const { notify, started } = await waiting(['a']);
	expect(await notify({ requestId: 'a', shareStatus: 'COMPLETED' })).toBe(ACCEPTED);
	expect(started).toMatchObject([{ requestId: 'a', shareStatus: 'COMPLETED' }]);
});

test('another status leaves it waiting', async () => {
	const { notify, started } = await waiting(['a', 'b']);
	expect(await notify({ requestId: 'a', shareStatus: 'open' })).toBe(WAITING);
	expect(started).toEqual([]);
});

test('a request that is not awaited is ignored, and nothing is read', async () => {
	const { notify, started, urls } = await waiting(['a', 'b']);
	expect(await notify({ requestId: 'of an earlier wait' })).toBe(IGNORED);
	expect([started, urls()]).toEqual([[], []]);
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

test('Options > Maximum Age of the node counts', async () => {
	const parameters = { options: { maximumAge: 600 } };
	const { notify } = await waiting(['a'], { parameters });
	expect(await notify({ requestId: 'a' }, undefined, time.now() - 660_000)).toBe(UNVERIFIED);
	expect(await notify({ requestId: 'a' }, undefined, time.now() - 540_000)).toBe(ACCEPTED);
});
