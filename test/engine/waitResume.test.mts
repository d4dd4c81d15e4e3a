import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CREDENTIAL_EMPTY_VALUE } from 'n8n-workflow';
import { CREDENTIAL } from './support/credential.mts';
import { payload, signed } from '../support/delivery.mts';
import { runAction } from './support/engine.mts';
import type { Answer } from './support/faultServer.mts';
import { by, json, startFaultServer } from './support/faultServer.mts';
import { matching } from '../support/matchers.mts';
import { READ } from './support/operations.mts';
import type { HostOptions } from './support/triggerHost.mts';
import { deliver, startTriggerHost } from './support/triggerHost.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const time = useVirtualTime();

const WAIT = { ...READ, operation: 'wait', requestId: '={{ $json.requestId }}' };
const ACCEPTED = '200 accepted';
const WAITING = '200 waiting';
const IGNORED = '200 ignored';
const UNVERIFIED = '401 unverified';
const NOT_CHECKED = '503 not checked';
const NOT_CONFIGURED = '500 not configured';
const EMPTY = { previousWebhookSecrets: ` \n${CREDENTIAL_EMPTY_VALUE}\n` };

/** What the requests of the service are like at the moment; a function answers by itself. */
type Statuses = Record<string, string | Answer>;

interface Options {
	parameters?: INodeParameters;
	/** What is different once it waits. */
	host?: Partial<HostOptions>;
	settings?: HostOptions['settings'];
	/** What the requests are like when the wait begins, if not open. */
	statuses?: Statuses;
}

/** Lets the node wait for these requests; `notify` then sends a notification as the service does. */
async function waiting(ids: string[], { parameters, host, settings, ...more }: Options = {}) {
	const statuses: Statuses = { ...more.statuses };
	const { url, requests } = await startFaultServer(
		by((request) => {
			const id = request.url.split('/').at(-1) ?? '';
			const is = statuses[id] ?? 'open';
			if (typeof is === 'function') return is;
			if (request.url.includes('/share/')) return json(200, { _id: id, status: 'completed' });
			const shareId = is === 'completed' ? `s-${id}` : undefined;
			return json(200, { _id: id, title: `Title ${id}`, shareStatus: is, shareId });
		}),
	);
	const credential = { productionBaseUrl: url };
	const input = ids.map((requestId) => ({ requestId }));
	const wait = { parameters: { ...WAIT, ...parameters }, settings };
	const { run, error } = await runAction({ ...wait, credential, input });
	expect(error).toBeUndefined();
	expect(run.waitTill).toBeTruthy();
	const before = requests.length;
	const { started, logged, post } = await startTriggerHost({
		...wait,
		waiting: run.data,
		...host,
		credential: { ...credential, ...host?.credential },
	});
	return {
		/** May be changed for what follows. */
		statuses,
		started,
		logged,
		/** The paths that were read since the wait began. */
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
	const item = (id: string) => ({
		requestId: id,
		guestLink: `${CREDENTIAL.productionCollectUrl}/request/${id}`,
		_id: id,
		title: `Title ${id}`,
		shareStatus: 'completed',
		notification: null,
		timedOut: false,
	});
	expect(started).toMatchObject([
		item('a'),
		{
			...item('b'),
			notification: { requestId: 'b', shareStatus: 'completed', deliveryId: matching(/./) },
		},
		item('a'),
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
	const statuses = { AB12: json(200, { _id: 'ab12', shareStatus: 'open' }) };
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
		['by hanging', () => void setTimeout(() => time.advance(3_000), 20)],
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
	const parameters = { options: { includeShare: true } };

	test('of the request', async () => {
		const { statuses, notify, started } = await waiting(['a'], { parameters });
		statuses.a = 'completed';
		expect(await notify({ requestId: 'a' })).toBe(ACCEPTED);
		expect(started).toMatchObject([{ share: { _id: 's-a' } }]);
	});

	test('that is gone, of a request that is not there yet: that one is certain', async () => {
		const { statuses, notify, urls } = await waiting(['a', 'b'], { parameters });
		statuses.b = json(200, { _id: 'b', shareStatus: 'open', shareId: 's-b' });
		statuses['s-b'] = json(404, {});
		expect(await notify({ requestId: 'a' })).toBe(WAITING);
		expect(urls()).not.toContain('/di/share/s-b');
	});

	test('that is gone, of one that is: not checked, and the log says why', async () => {
		const { statuses, notify, logged, started } = await waiting(['a'], { parameters });
		statuses.a = 'completed';
		statuses['s-a'] = json(410, {});
		expect(await notify({ requestId: 'a' })).toBe(NOT_CHECKED);
		expect(logged.join()).toContain('The service no longer has the share "s-a"');
		expect(started).toEqual([]);
	});
});

describe('a credential that changes while it waits', () => {
	test('a notification signed with a previous webhook secret ends it', async () => {
		const credential = { webhookSecret: 'a newer one', previousWebhookSecrets: 'x\nthe older one' };
		const { notify } = await waiting(['a'], { host: { credential } });
		expect(await notify({ requestId: 'a' })).toBe(UNVERIFIED);
		expect(await notify({ requestId: 'a' }, 'the older one')).toBe(ACCEPTED);
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
