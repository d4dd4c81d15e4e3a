import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CREDENTIAL_EMPTY_VALUE } from 'n8n-workflow';
import { CREDENTIAL } from './support/credential.mts';
import { delivery, notification } from './support/delivery.mts';
import { runAction } from './support/engine.mts';
import type { Answer } from './support/faultServer.mts';
import { json, withFaultServer } from './support/faultServer.mts';
import type { HostOptions } from './support/triggerHost.mts';
import { startTriggerHost } from './support/triggerHost.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const time = useVirtualTime();

const WAIT = {
	resource: 'collectionRequest',
	operation: 'wait',
	requestId: '={{ $json.requestId }}',
};
const ACCEPTED = { status: 200, text: '{"status":"accepted"}' };
const WAITING = { status: 200, text: '{"status":"waiting"}' };
const IGNORED = { status: 200, text: '{"status":"ignored"}' };
const UNVERIFIED = { status: 401, text: '{"status":"unverified"}' };
const NOT_CHECKED = { status: 503, text: '{"status":"not checked"}' };
const NOT_CONFIGURED = { status: 500, text: '{"status":"not configured"}' };

/** What the requests of the service are like at the moment; a function answers by itself. */
type Statuses = Record<string, string | Answer>;

interface Waiting {
	/** Changes them for what follows. */
	statuses: Statuses;
	/** Sends a notification; signed as the service does, unless given. */
	notify: (
		changes: IDataObject,
		secret?: string,
		at?: number,
	) => Promise<{ status: number; text: string }>;
	started: IDataObject[];
	logged: string[];
	/** The requests that were read since the wait began. */
	urls: () => string[];
}

async function waiting(
	ids: string[],
	use: (waiting: Waiting) => Promise<void>,
	{
		parameters,
		host,
		statuses = {},
	}: { parameters?: INodeParameters; host?: Partial<HostOptions>; statuses?: Statuses } = {},
): Promise<void> {
	const now: Statuses = { ...Object.fromEntries(ids.map((id) => [id, 'open'])), ...statuses };
	const answer: Answer = (response, request, index) => {
		const id = request.url.split('/').at(-1) ?? '';
		const is = now[id] ?? 'open';
		if (typeof is === 'function') return is(response, request, index);
		const body = request.url.includes('/share/')
			? { _id: id, status: 'completed' }
			: {
					_id: id,
					title: `Title ${id}`,
					shareStatus: is,
					...(is === 'completed' && { shareId: `s-${id}` }),
				};
		json(200, body)(response, request, index);
	};
	await withFaultServer(answer, async ({ url, requests }) => {
		const credential = { productionBaseUrl: url };
		const input = ids.map((requestId) => ({ requestId }));
		const all = { ...WAIT, ...parameters };
		const { run, error } = await runAction({ parameters: all, credential, input });
		expect(error).toBeUndefined();
		expect(run.waitTill).toBeTruthy();
		const before = requests.length;
		const started = await startTriggerHost({
			parameters: all,
			credential,
			waiting: run.data,
			...host,
			...(host?.credential && { credential: { ...credential, ...host.credential } }),
		});
		try {
			await use({
				statuses: now,
				started: started.started,
				logged: started.logged,
				urls: () => requests.slice(before).map((request) => request.url),
				notify: async (changes, secret, at = time.now()) => {
					const sent = delivery(notification(changes), {
						secret,
						timestamp: String(Math.floor(at)),
					});
					const { status, text } = await started.post(sent);
					return { status, text };
				},
			});
		} finally {
			await started.stop();
		}
		expect(started.thrown).toEqual([]);
	});
}

test('the last awaited status ends the wait, with all items in their order', async () => {
	await waiting(['a', 'b', 'a'], async ({ statuses, notify, started }) => {
		statuses.a = 'completed';
		expect(await notify({ requestId: 'a' })).toEqual(WAITING);
		statuses.b = 'completed';
		expect(await notify({ requestId: 'b' })).toEqual(ACCEPTED);
		expect(started).toHaveLength(3);
		const linkOf = (id: string) => `${CREDENTIAL.productionCollectUrl}/request/${id}`;
		const item = (id: string) => ({
			requestId: id,
			guestLink: linkOf(id),
			_id: id,
			title: `Title ${id}`,
			shareStatus: 'completed',
			timedOut: false,
		});
		expect(started).toMatchObject([
			{ ...item('a'), notification: null },
			{ ...item('b'), notification: { requestId: 'b', shareStatus: 'completed' } },
			{ ...item('a'), notification: null },
		]);
		expect(Object.keys(started[0] ?? {}).slice(0, 2)).toEqual(['requestId', 'guestLink']);
		expect(started[1]?.notification).toHaveProperty('deliveryId');
	});
});

test('the status of the notification counts, although the service still reads as before', async () => {
	await waiting(['a'], async ({ notify, started }) => {
		expect(await notify({ requestId: 'a', shareStatus: 'COMPLETED' })).toEqual(ACCEPTED);
		expect(started).toMatchObject([{ requestId: 'a', shareStatus: 'COMPLETED' }]);
	});
});

test('another status leaves it waiting, and nothing is read', async () => {
	await waiting(['a', 'b'], async ({ notify, started, urls }) => {
		expect(await notify({ requestId: 'a', shareStatus: 'open' })).toEqual(WAITING);
		expect([started, urls()]).toEqual([[], []]);
	});
});

test('a notification without a status makes the service be asked', async () => {
	await waiting(['a'], async ({ statuses, notify, started }) => {
		expect(await notify({ requestId: 'a', shareStatus: null })).toEqual(WAITING);
		statuses.a = 'completed';
		expect(await notify({ requestId: 'a', shareStatus: '' })).toEqual(ACCEPTED);
		expect(started.splice(0)).toMatchObject([{ shareStatus: 'completed' }]);
		expect(await notify({ requestId: 'a', shareStatus: undefined })).toEqual(ACCEPTED);
		expect(started).toMatchObject([{ shareStatus: 'completed' }]);
	});
});

test('a request that is not awaited is ignored', async () => {
	await waiting(['a'], async ({ notify, started, urls }) => {
		expect(await notify({ requestId: 'of an earlier wait' })).toEqual(IGNORED);
		expect([started, urls()]).toEqual([[], []]);
	});
});

test("the service's own ID counts, although it took another one", async () => {
	const statuses = { AB12: json(200, { _id: 'ab12', shareStatus: 'open' }) };
	await waiting(
		['AB12'],
		async ({ notify, started }) => {
			expect(await notify({ requestId: 'AB12' })).toEqual(IGNORED);
			expect(await notify({ requestId: 'ab12' })).toEqual(ACCEPTED);
			expect(started).toMatchObject([{ requestId: 'ab12', notification: { requestId: 'ab12' } }]);
		},
		{ statuses },
	);
});

test('an execution that has kept nothing takes nothing', async () => {
	const host = await startTriggerHost({
		parameters: WAIT,
		waiting: { resultData: { runData: {} } } as never,
	});
	const sent = delivery(notification({ requestId: 'a' }), { timestamp: String(time.now()) });
	expect(await host.post(sent)).toMatchObject(IGNORED);
	await host.stop();
	expect([host.started, host.thrown]).toEqual([[], []]);
});

test('what was evaluated counts, not what the expressions give at the resume', async () => {
	const parameters = { waitForStatuses: '={{ $runIndex === 0 ? ["closed"] : ["nothing"] }}' };
	await waiting(
		['a'],
		async ({ notify, started }) => {
			expect(await notify({ requestId: 'a', shareStatus: 'completed' })).toEqual(WAITING);
			expect(await notify({ requestId: 'a', shareStatus: 'closed' })).toEqual(ACCEPTED);
			expect(started).toHaveLength(1);
		},
		{ parameters, host: { parameters: { ...WAIT, waitForStatuses: '={{ $json.nothing }}' } } },
	);
});

test('with the share, if wanted', async () => {
	await waiting(
		['a'],
		async ({ statuses, notify, started }) => {
			statuses.a = 'completed';
			expect(await notify({ requestId: 'a' })).toEqual(ACCEPTED);
			expect(started).toMatchObject([{ share: { _id: 's-a' } }]);
		},
		{ parameters: { options: { includeShare: true } } },
	);
});

describe('when the service fails at that moment', () => {
	test.each<[string, Answer]>([
		['with 500', json(500, {})],
		['with a pause that is too long', json(503, {}, { 'retry-after': '6' })],
		['by hanging', () => void setTimeout(() => time.advance(3_000), 20)],
		['by a request that is gone', json(404, {})],
	])('%s: not checked, and a later notification ends the wait', async (_title, broken) => {
		await waiting(['a', 'b'], async ({ statuses, notify, started, logged }) => {
			const before = time.now();
			statuses.b = broken;
			expect(await notify({ requestId: 'a' })).toEqual(NOT_CHECKED);
			expect(logged.join('\n')).toMatch(/^Delivery not checked: .* service .*"node":"Node"/);
			expect(time.now() - before).toBeLessThanOrEqual(3_000);
			expect(started).toEqual([]);
			statuses.a = 'completed';
			statuses.b = 'completed';
			expect(await notify({ requestId: 'b' })).toEqual(ACCEPTED);
			expect(started).toHaveLength(2);
		});
	});

	test('but one is not there yet: waiting is certain', async () => {
		await waiting(['a', 'b', 'c'], async ({ statuses, notify }) => {
			statuses.c = json(500, {});
			expect(await notify({ requestId: 'a' })).toEqual(WAITING);
		});
	});
});

describe('when a share is gone', () => {
	const parameters = { options: { includeShare: true } };

	test('of a request that is not there yet: that one is certain', async () => {
		await waiting(
			['a', 'b'],
			async ({ statuses, notify, urls }) => {
				statuses.b = json(200, { _id: 'b', shareStatus: 'open', shareId: 's-b' });
				statuses['s-b'] = json(404, {});
				expect(await notify({ requestId: 'a' })).toEqual(WAITING);
				expect(urls()).not.toContain('/di/share/s-b');
			},
			{ parameters },
		);
	});

	test('of one that is: not checked, and the log says why', async () => {
		await waiting(
			['a'],
			async ({ statuses, notify, logged, started }) => {
				statuses.a = 'completed';
				statuses['s-a'] = json(410, {});
				expect(await notify({ requestId: 'a' })).toEqual(NOT_CHECKED);
				expect(logged.join()).toContain('The service no longer has the share "s-a"');
				expect(started).toEqual([]);
			},
			{ parameters },
		);
	});
});

describe('a credential that changes while it waits', () => {
	test('a notification signed with a previous webhook secret ends it', async () => {
		const credential = { webhookSecret: 'a newer one', previousWebhookSecrets: 'x\nthe older one' };
		await waiting(
			['a'],
			async ({ notify }) => {
				expect(await notify({ requestId: 'a' })).toEqual(UNVERIFIED);
				expect(await notify({ requestId: 'a' }, 'the older one')).toEqual(ACCEPTED);
			},
			{ host: { credential } },
		);
	});

	test('one that has been deleted leaves it waiting', async () => {
		const onRead = () => {
			throw new Error('Credential with ID "1" does not exist');
		};
		await waiting(
			['a'],
			async ({ notify, started, logged }) => {
				expect(await notify({ requestId: 'a' })).toEqual(NOT_CONFIGURED);
				expect(logged.join()).toContain('does not exist');
				expect(started).toEqual([]);
			},
			{ host: { onRead } },
		);
	});
});

test('100 requests: it stops at the first that is not there yet', async () => {
	const ids = Array.from({ length: 100 }, (_, index) => `r${index}`);
	await waiting(ids, async ({ statuses, notify, urls, started }) => {
		expect(await notify({ requestId: 'r99' })).toEqual(WAITING);
		expect(urls().length).toBeLessThanOrEqual(40);
		for (const id of ids) statuses[id] = 'completed';
		expect(await notify({ requestId: 'r99' })).toEqual(ACCEPTED);
		expect(started.map(({ requestId }) => requestId)).toEqual(ids);
	});
});

describe('forgeries', () => {
	test.each([
		['another secret', 'another'],
		['a space', ' '],
		["n8n's text for an empty field", CREDENTIAL_EMPTY_VALUE],
	])('signed with %s do not end it', async (_title, secret) => {
		const credential = { previousWebhookSecrets: ` \n${CREDENTIAL_EMPTY_VALUE}\n` };
		await waiting(
			['a'],
			async ({ notify, started, urls }) => {
				expect(await notify({ requestId: 'a' }, secret)).toEqual(UNVERIFIED);
				expect([started, urls()]).toEqual([[], []]);
			},
			{ host: { credential } },
		);
	});

	test('without a webhook secret nothing is taken', async () => {
		await waiting(
			['a'],
			async ({ notify }) => expect(await notify({ requestId: 'a' })).toEqual(NOT_CONFIGURED),
			{ host: { credential: { webhookSecret: '' } } },
		);
	});

	test('an old notification does not end it', async () => {
		await waiting(['a'], async ({ notify, started }) => {
			const aMinuteTooOld = time.now() - 360_000;
			expect(await notify({ requestId: 'a' }, undefined, aMinuteTooOld)).toEqual(UNVERIFIED);
			expect(started).toEqual([]);
		});
	});
});

test.each(["Wait's", 'a "b" }} c', '{{ $json }}', 'é😀\\', 'Wait\n1'])(
	'a node may be called %j',
	async (name) => {
		await withFaultServer(json(200, { _id: 'a', shareStatus: 'open' }), async ({ url }) => {
			const credential = { productionBaseUrl: url };
			const settings = { name };
			const { run } = await runAction({
				parameters: WAIT,
				credential,
				settings,
				input: [{ requestId: 'a' }],
			});
			const host = await startTriggerHost({
				parameters: WAIT,
				credential,
				settings,
				waiting: run.data,
			});
			const sent = delivery(notification({ requestId: 'a' }), { timestamp: String(time.now()) });
			expect(await host.post(sent)).toMatchObject(ACCEPTED);
			await host.stop();
			expect(host.started).toHaveLength(1);
		});
	},
);
