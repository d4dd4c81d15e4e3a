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

/** Sends a new notification to each of these; resolves to the responses. */
async function send(...hosts: TriggerHost[]) {
	const responses: string[] = [];
	for (const host of hosts) responses.push(await host.notify());
	return responses;
}

test('deliveries that come together read the credential once', async () => {
	const host = await start();
	const sent = await Promise.all(Array.from({ length: 20 }, async () => await send(host)));
	expect(sent.flat()).toEqual(Array(20).fill('200 accepted'));
	expect(reads).toBe(1);
});

test('a changed secret is known after 2 seconds', async () => {
	const options: HostOptions = {};
	const host = await start(options);
	expect(await send(host)).toEqual(['200 accepted']);
	options.credential = { webhookSecret: 'another secret of the credential' };
	time.advance(1_999);
	expect(await send(host)).toEqual(['200 accepted']);
	time.advance(1);
	expect([await send(host), reads]).toEqual([['401 unverified'], 2]);
});

test('a failed read is not remembered', async () => {
	const options: HostOptions = {};
	const host = await start(options);
	options.onRead = () => {
		reads += 1;
		if (reads === 1) throw new Error('The database is away');
	};
	expect(await send(host)).toEqual(['500 not configured']);
	expect(await send(host, host)).toEqual(['200 accepted', '200 accepted']);
	expect(reads).toBe(2);
});

const credentials = { dataCollectionApi: { id: '2', name: 'Other' } };
test.each<[string, number, settings: object, workflowId?: string]>([
	['a node with another credential', 2, { credentials }],
	['another node of the workflow', 2, { id: 'another' }],
	['the same node in a copy of the workflow', 2, {}, 'workflow-2'],
	['but not two deliveries to the same node', 1, {}],
])('each reads for itself: %s', async (id, expected, settings, workflowId = 'workflow-1') => {
	const first = await start({ settings: { id } });
	const second = await start({ settings: { id, ...settings }, workflowId });
	expect(new Set(await send(first, second, first, second))).toEqual(new Set(['200 accepted']));
	expect(reads).toBe(expected);
});

test('a manual run reads every time, and remembers nothing for production', async () => {
	const settings = { id: 'started by hand' };
	const manual = await start({ mode: 'manual', settings });
	await send(manual, manual, await start({ settings }));
	expect(reads).toBe(3);
});

test('of more than 100 nodes the one that was read first is forgotten', async () => {
	const all = await Promise.all(Array.from({ length: 101 }, async () => await start()));
	const [first, ...others] = all as [TriggerHost, ...TriggerHost[]];
	await send(first, ...others, ...others);
	expect(reads).toBe(101);
	await send(first);
	expect(reads).toBe(102);
});
