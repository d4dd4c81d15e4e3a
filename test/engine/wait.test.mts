import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CREDENTIAL_EMPTY_VALUE, WAIT_INDEFINITELY } from 'n8n-workflow';
import { payload, signed } from '../support/delivery.mts';
import { runAction, stopExecution, type ActionRun } from './support/engine.mts';
import { by, json, type Answer } from './support/faultServer.mts';
import { containing, matching } from '../support/matchers.mts';
import { CREATE, READ } from './support/operations.mts';
import { deliver, startTriggerHost, type HostOptions } from './support/triggerHost.mts';
import { useVirtualTime } from './support/virtualTime.mts';
import { beforeExecution, putAfterCreate, putIntoAgent } from './support/workflow.mts';

const time = useVirtualTime();

const linkOf = (id: string) => `https://collect.example.com/request/${id}`;

/** The current statuses of collection requests by ID; a function sends its own response. */
type Statuses = Record<string, string | Answer>;

/** A service whose collection requests have these statuses; each has a share once completed. */
const service = (statuses: Statuses): Answer =>
	by(({ url }) => {
		const id = url.split('/').at(-1) ?? '';
		const shareStatus = statuses[id];
		if (typeof shareStatus === 'function') return shareStatus;
		if (id.startsWith('s-')) return json(200, { _id: id, status: 'completed' });
		if (shareStatus === undefined) return json(404, {});
		const shareId = shareStatus === 'completed' ? `s-${id}` : undefined;
		return json(200, { _id: id, title: `Title ${id}`, shareStatus, shareId });
	});

const WAIT = { ...READ, operation: 'wait', requestId: '={{ $json.requestId }}' };
const SHARES = { options: { includeShare: true } };
const open = service({ a: 'open', b: 'open' });
const itemsOf = (...ids: string[]): IDataObject[] => ids.map((requestId) => ({ requestId, n: 1 }));

/** Runs the node; `until` is when n8n would resume, `kept` what the node stores, `expired` n8n's output then. */
async function wait(
	answer: Answer,
	input: IDataObject[],
	parameters: INodeParameters = {},
	more: Partial<ActionRun> = {},
) {
	const outcome = await runAction({
		parameters: { ...WAIT, ...parameters },
		answer,
		input,
		...more,
	});
	const { waitTill, data } = outcome.run;
	const { contextData, nodeExecutionStack } = data.executionData ?? {};
	return {
		...outcome,
		until: waitTill ?? undefined,
		kept: contextData?.['node:Node']?.dataCollection as unknown,
		expired: nodeExecutionStack?.[0]?.data.main?.[0],
	};
}

const FOR_EVER = { until: WAIT_INDEFINITELY };
const AT_ONCE = { until: undefined, error: undefined };

/** The output item of a collection request. */
const item = (id: string, more: object) => ({
	requestId: id,
	guestLink: linkOf(id),
	_id: id,
	title: `Title ${id}`,
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

	test.each([
		['that several items name only once', ['a', 'b', 'a', 'a']],
		['of more than 100 items', Array.from({ length: 240 }, (_, n) => (n % 2 === 0 ? 'a' : 'b'))],
	])('reading each request %s', async (_title, ids) => {
		const run = await wait(service({ a: 'completed', b: 'completed' }), itemsOf(...ids));
		expect(run.error).toBeUndefined();
		expect(run.json.map(({ requestId }) => requestId)).toEqual(ids);
		expect(run.urls.toSorted()).toEqual(['/di/collection-request/a', '/di/collection-request/b']);
	});

	test.each(['closed, completed', '["closed", "completed"]'])(
		'when one text lists the statuses: %s',
		async (text) => {
			const parameters = { waitForStatuses: `={{ ${JSON.stringify(text)} }}` };
			const answer = service({ a: 'completed', b: 'closed' });
			expect(await wait(answer, itemsOf('a', 'b'), parameters)).toMatchObject(AT_ONCE);
		},
	);

	test('by guest link, and with statuses of its own for each item', async () => {
		const input = [
			{ requestId: `${linkOf('a')}?x=1`, until: 'open' },
			{ requestId: 'b', until: 'completed' },
		];
		const parameters = { waitForStatuses: '={{ $json.until }}' };
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
		const run = await wait(answer, input, { waitForStatuses: '={{ $json.until }}', ...SHARES });
		expect(run).toMatchObject(FOR_EVER);
		expect(run.kept).toEqual({
			awaited: [
				{ requestId: 'a', statuses: ['completed', 'closed'] },
				{ requestId: 'b', statuses: ['completed'] },
			],
			includeShare: true,
		});
	});

	test('until the limit, which each field may give by an expression', async () => {
		const inTwoDays = new Date(Date.now() + 2 * 86_400_000);
		const input = [{ requestId: 'a', until: inTwoDays.toISOString() }];
		const { until } = await wait(open, input, {
			limitWaitTime: true,
			limitType: 'atSpecifiedTime',
			maxDateAndTime: '={{ $json.until }}',
		});
		expect(until).toEqual(inTwoDays);
	});

	test('for ever when the limit is beyond what n8n can compare', async () => {
		const limit = { limitWaitTime: true, resumeAmount: 3_000_000, resumeUnit: 'days' };
		expect(await wait(open, itemsOf('a'), limit)).toMatchObject(FOR_EVER);
	});

	test('and hands its input on in the end, with its own names and the files', async () => {
		const binary = { data: { data: 'aGVsbG8=', mimeType: 'text/plain' } };
		beforeExecution((context) => {
			for (const item of context.getInputData()) item.binary = binary;
		});
		const input = [
			{ requestId: 'another', guestLink: 'x', timedOut: 'no', error: 'e', id: 'a' },
			{ name: 'Zoe', id: 'b' },
		];
		const { expired } = await wait(open, input, { requestId: '={{ $json.id }}' });
		expect(expired).toEqual(
			['a', 'b'].map((requestId, item) => ({
				json: { ...input[item], requestId, guestLink: linkOf(requestId), timedOut: true },
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
		['hang', () => void setImmediate(() => time.advance(3_000))],
		['are asked to pause', json(503, {}, { 'retry-after': '6' })],
		['fail', json(500, {})],
	])('although its reads %s: at most 3 seconds, and a hint', async (_title, answer) => {
		const started = time.now();
		const run = await wait(answer, itemsOf('a', 'b'));
		expect(time.now() - started).toBeLessThanOrEqual(3_000);
		const message = containing('2 of 2 collection requests could not be read before the wait');
		expect(run).toMatchObject({ ...FOR_EVER, hints: [{ message }] });
	});
});

describe('a hint when nothing ends the wait', () => {
	test('its Create notifies nobody, and there is no limit', async () => {
		putAfterCreate('none');
		const message = containing(
			'"Ask them" sends no notifications, and this wait has no time limit',
		);
		expect(await wait(open, itemsOf('a'))).toMatchObject({ ...FOR_EVER, hints: [{ message }] });
	});

	test.each<[string, string, INodeParameters]>([
		['its Create notifies it', 'wait', {}],
		['an expression says whom its Create notifies', '={{ $json.notify }}', {}],
		['it has a limit', 'none', { limitWaitTime: true }],
		['it is over at once', 'none', { waitForStatuses: ['open'] }],
	])('but not when %s', async (_title, notify, parameters) => {
		putAfterCreate(notify);
		const run = await wait(open, itemsOf('a'), parameters);
		expect(run).toMatchObject({ error: undefined, hints: [] });
	});
});

describe('it is refused before anything waits', () => {
	const UNKNOWN = 'The service does not know the collection request "nothing" (HTTP 404)';

	test('for a request that the service does not know: nothing would ever end it', async () => {
		const run = await wait(open, itemsOf('a', 'nothing'));
		expect(run.error).toMatchObject({ message: UNKNOWN, context: { itemIndex: 1 } });
		expect(run.until).toBeUndefined();
	});

	test('with Continue On Fail as well: each item has the error', async () => {
		const settings = { onError: 'continueRegularOutput' as const };
		const run = await wait(open, itemsOf('a', 'nothing'), {}, { settings });
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

const ACCEPTED = '200 accepted';
const WAITING = '200 waiting';
const IGNORED = '200 ignored';
const UNVERIFIED = '401 unverified';
const NOT_CHECKED = '503 not checked';
const NOT_CONFIGURED = '500 not configured';
const EMPTY = { previousWebhookSecrets: ` \n${CREDENTIAL_EMPTY_VALUE}\n` };

interface Waiting extends Pick<HostOptions, 'parameters' | 'settings'> {
	/** Host options that change once it waits. */
	host?: HostOptions;
	/** The statuses when the wait begins; open by default. */
	statuses?: Statuses;
}

/** Makes the node wait for these collection requests; `notify` sends a notification as the service does. */
async function waiting(ids: string[], { parameters, settings, host, ...more }: Waiting = {}) {
	const statuses: Statuses = {
		...Object.fromEntries(ids.map((id) => [id, 'open'])),
		...more.statuses,
	};
	const begun = await wait(service(statuses), itemsOf(...ids), parameters, { settings });
	expect(begun).toMatchObject({ error: undefined, ...FOR_EVER });
	const { run, requests, serviceUrl } = begun;
	const before = requests.length;
	const { started, logged, post } = await startTriggerHost({
		parameters: { ...WAIT, ...parameters },
		settings,
		waiting: run.data,
		...host,
		credential: { productionBaseUrl: serviceUrl ?? '', ...host?.credential },
	});
	return {
		/** The test may change these later. */
		statuses,
		started,
		logged,
		/** The paths read since the wait began. */
		urls: () => requests.slice(before).map((request) => request.url),
		notify: async (changes: IDataObject, secret?: string, at = time.now()) =>
			await post(signed({ secret, body: payload(changes), timestamp: String(Math.floor(at)) })),
	};
}

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

test('a notification without a status makes the service be asked', async () => {
	const { statuses, notify, started } = await waiting(['a']);
	expect(await notify({ requestId: 'a', shareStatus: null })).toBe(WAITING);
	statuses.a = 'completed';
	expect(await notify({ requestId: 'a', shareStatus: '' })).toBe(ACCEPTED);
	expect(started.splice(0)).toMatchObject([{ shareStatus: 'completed' }]);
	expect(await notify({ requestId: 'a', shareStatus: undefined })).toBe(ACCEPTED);
	expect(started).toMatchObject([{ shareStatus: 'completed' }]);
});

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
		parameters: { waitForStatuses: '={{ $runIndex === 0 ? ["closed"] : ["nothing"] }}' },
		host: { parameters: { ...WAIT, waitForStatuses: '={{ $json.nothing }}' } },
	});
	expect(await notify({ requestId: 'a', shareStatus: 'completed' })).toBe(WAITING);
	expect(await notify({ requestId: 'a', shareStatus: 'closed' })).toBe(ACCEPTED);
	expect(started).toHaveLength(1);
});

describe('when the service fails at that moment', () => {
	test.each<[string, Answer]>([
		['with 500', json(500, {})],
		['with a pause that is too long', json(503, {}, { 'retry-after': '6' })],
		['by hanging', () => void setImmediate(() => time.advance(3_000))],
		['by a request that is gone', json(404, {})],
	])('%s: not checked, and a later notification ends the wait', async (_title, broken) => {
		const { statuses, notify, started, logged } = await waiting(['a', 'b']);
		const before = time.now();
		statuses.b = broken;
		expect(await notify({ requestId: 'a' })).toBe(NOT_CHECKED);
		expect(logged.join('\n')).toMatch(/^Delivery not checked: .* service .*"node":"Node"/);
		expect(time.now() - before).toBeLessThanOrEqual(3_000);
		expect(started).toEqual([]);
		statuses.a = 'completed';
		statuses.b = 'completed';
		expect(await notify({ requestId: 'b' })).toBe(ACCEPTED);
		expect(started).toHaveLength(2);
	});

	test('but one is not there yet: waiting is certain', async () => {
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

	test('that is gone, of a request that is not there yet: that one is certain', async () => {
		const { statuses, notify, urls } = await waiting(['a', 'b'], { parameters: SHARES });
		statuses.b = json(200, { _id: 'b', shareStatus: 'open', shareId: 's-b' });
		statuses['s-b'] = json(404, {});
		expect(await notify({ requestId: 'a' })).toBe(WAITING);
		expect(urls()).not.toContain('/di/share/s-b');
	});

	test('that is gone, of one that is: not checked, and the log says why', async () => {
		const { statuses, notify, logged, started } = await waiting(['a'], { parameters: SHARES });
		statuses.a = 'completed';
		statuses['s-a'] = json(410, {});
		expect(await notify({ requestId: 'a' })).toBe(NOT_CHECKED);
		expect(logged.join()).toContain('The service no longer has the share "s-a"');
		expect(started).toEqual([]);
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

test.each([`Wait's "b" }} c`, '{{ $json }}', 'é😀\\\n1'])(
	'a node may be called %j',
	async (name) => {
		const { notify, started } = await waiting(['a'], { settings: { name } });
		expect(await notify({ requestId: 'a' })).toBe(ACCEPTED);
		expect(started).toHaveLength(1);
	},
);
