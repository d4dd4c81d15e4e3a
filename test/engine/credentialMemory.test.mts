import { signed } from '../support/delivery.mts';
import { startTriggerHost, type HostOptions, type TriggerHost } from './support/triggerHost.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const time = useVirtualTime();

/** How often the credential has been read. */
let reads = 0;
beforeEach(() => {
	reads = 0;
});

/** A trigger whose credential reads are counted; the options may change while it runs. */
const start = async (options: HostOptions = {}) =>
	await startTriggerHost(Object.assign(options, { onRead: () => void (reads += 1) }));

/** Sends a new notification; resolves to the response. */
const send = async (host: TriggerHost, secret?: string) =>
	await host.post(signed({ timestamp: String(time.now()), secret }));

test('deliveries that come together read the credential once', async () => {
	const host = await start();
	const sent = await Promise.all(Array.from({ length: 20 }, async () => await send(host)));
	expect(new Set(sent)).toEqual(new Set(['200 accepted']));
	expect(host.started).toHaveLength(20);
	expect(reads).toBe(1);
});

test('a changed secret is known after 2 seconds', async () => {
	const options: HostOptions = { credential: { webhookSecret: 'the first secret' } };
	const host = await start(options);
	expect(await send(host, 'the first secret')).toBe('200 accepted');

	options.credential = { webhookSecret: 'the second secret' };
	time.advance(1_999);
	expect(await send(host, 'the first secret')).toBe('200 accepted');
	expect(await send(host, 'the second secret')).toBe('401 unverified');

	time.advance(1);
	expect(await send(host, 'the second secret')).toBe('200 accepted');
	expect(await send(host, 'the first secret')).toBe('401 unverified');
});

test('a failed read is not remembered', async () => {
	const options: HostOptions = {};
	const host = await start(options);
	options.onRead = () => {
		reads += 1;
		if (reads === 1) throw new Error('The database is away');
	};
	expect([await send(host), reads]).toEqual(['500 not configured', 1]);
	expect([await send(host), reads]).toEqual(['200 accepted', 2]);
	expect([await send(host), reads]).toEqual(['200 accepted', 2]);
});

describe('each reads for itself', () => {
	const credentials = { dataCollectionApi: { id: '2', name: 'Other' } };

	test.each<[string, number, settings: object, workflowId?: string]>([
		['a node with another credential', 2, { credentials }],
		['another node of the workflow', 2, { id: 'another' }],
		['the same node in a copy of the workflow', 2, {}, 'workflow-2'],
		['but not two deliveries to the same node', 1, {}],
	])('%s', async (id, expected, settings, workflowId = 'workflow-1') => {
		const first = await start({ settings: { id } });
		const second = await start({ settings: { id, ...settings }, workflowId });
		for (const host of [first, second, first, second])
			expect(await send(host)).toBe('200 accepted');
		expect(reads).toBe(expected);
	});
});

test('a manual run reads every time, and remembers nothing for production', async () => {
	const settings = { id: 'started by hand' };
	const host = await start({ mode: 'manual', settings });
	for (const sent of [1, 2]) {
		await send(host);
		expect(reads).toBe(sent);
	}
	await send(await start({ settings }));
	expect(reads).toBe(3);
});

test('of more than 100 nodes the one that was read first is forgotten', async () => {
	const all = await Promise.all(Array.from({ length: 101 }, async () => await start()));
	const [first, second] = all as [TriggerHost, TriggerHost];
	for (const host of [...all, ...all.slice(1)]) await send(host);
	expect(reads).toBe(101);
	await send(first);
	expect(reads).toBe(102);
	await send(second);
	expect(reads).toBe(103);
});
