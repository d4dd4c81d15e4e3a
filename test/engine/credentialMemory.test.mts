import type { WorkflowExecuteMode } from 'n8n-workflow';
import { delivery, notification } from './support/delivery.mts';
import type { HostOptions, TriggerHost } from './support/triggerHost.mts';
import { startTriggerHost } from './support/triggerHost.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const time = useVirtualTime();

const ACCEPTED = '{"status":"accepted"}';
const UNVERIFIED = '{"status":"unverified"}';
const NOT_CONFIGURED = '{"status":"not configured"}';

let hosts: TriggerHost[] = [];
/** How often the credential has been read. */
let reads = 0;

beforeEach(() => {
	hosts = [];
	reads = 0;
});
afterEach(async () => {
	await Promise.all(hosts.map(async (host) => await host.stop()));
});

/** A trigger whose reads are counted; the options can be changed while it runs. */
async function start(options: HostOptions = {}): Promise<TriggerHost> {
	const host = await startTriggerHost(Object.assign(options, { onRead: () => void (reads += 1) }));
	hosts.push(host);
	return host;
}

/** Sends a new notification; resolves to what the sender gets. */
async function send(host: TriggerHost, secret?: string): Promise<string> {
	const signed = delivery(notification(), { timestamp: String(time.now()), secret });
	return (await host.post(signed)).text;
}

test('deliveries that come together read the credential once', async () => {
	const host = await start();
	const sent = await Promise.all(Array.from({ length: 20 }, async () => await send(host)));
	expect(new Set(sent)).toEqual(new Set([ACCEPTED]));
	expect(host.started).toHaveLength(20);
	expect(reads).toBe(1);
});

test('it is read anew after 2 seconds, however often it was used in between', async () => {
	const host = await start();
	for (const pause of [0, 1_000, 999]) {
		time.advance(pause);
		await send(host);
	}
	expect(reads).toBe(1);
	time.advance(1);
	await send(host);
	expect(reads).toBe(2);
	time.advance(1_999);
	await send(host);
	expect(reads).toBe(2);
});

test('a changed secret is known after 2 seconds', async () => {
	const options: HostOptions = { credential: { webhookSecret: 'the first secret' } };
	const host = await start(options);
	expect(await send(host, 'the first secret')).toBe(ACCEPTED);

	options.credential = { webhookSecret: 'the second secret' };
	time.advance(1_999);
	expect(await send(host, 'the first secret')).toBe(ACCEPTED);
	expect(await send(host, 'the second secret')).toBe(UNVERIFIED);

	time.advance(1);
	expect(await send(host, 'the second secret')).toBe(ACCEPTED);
	expect(await send(host, 'the first secret')).toBe(UNVERIFIED);
});

test('a failed read is not remembered', async () => {
	const options: HostOptions = {};
	const host = await start(options);
	options.onRead = () => {
		reads += 1;
		if (reads === 1) throw new Error('The database is away');
	};
	expect(await send(host)).toBe(NOT_CONFIGURED);
	expect(await send(host)).toBe(ACCEPTED);
	expect(reads).toBe(2);
	expect(await send(host)).toBe(ACCEPTED);
	expect(reads).toBe(2);
});

test('neither is a credential with an address that cannot be used', async () => {
	const options: HostOptions = { credential: { productionBaseUrl: 'nowhere' } };
	const host = await start(options);
	expect(await send(host)).toBe(NOT_CONFIGURED);
	options.credential = {};
	expect(await send(host)).toBe(ACCEPTED);
});

describe('each reads for itself', () => {
	const one = { id: 'the-node', credentials: { dataCollectionApi: { id: '1', name: 'One' } } };
	const other = { dataCollectionApi: { id: '2', name: 'Other' } };

	test.each<[string, HostOptions]>([
		['a node with another credential', { settings: { ...one, credentials: other } }],
		['another node of the workflow', { settings: { ...one, id: 'another-node' } }],
		['the same node in a copy of the workflow', { settings: one, workflowId: 'workflow-2' }],
	])('%s', async (title, options) => {
		const id = `${one.id} ${title}`;
		const first = await start({ settings: { ...one, id } });
		const settings = { ...options.settings };
		if (settings.id === one.id) settings.id = id;
		const second = await start({ ...options, settings });
		for (const host of [first, second, first, second]) expect(await send(host)).toBe(ACCEPTED);
		expect(reads).toBe(2);
	});

	test('but not two deliveries to the same node', async () => {
		const settings = { id: 'the-very-same-node' };
		for (const host of [await start({ settings }), await start({ settings })]) await send(host);
		expect(reads).toBe(1);
	});
});

test.each<WorkflowExecuteMode>(['manual', 'trigger', 'internal'])(
	'a run in mode %s reads every time, and remembers nothing for production',
	async (mode) => {
		const settings = { id: `started-as-${mode}` };
		const host = await start({ mode, settings });
		for (let sent = 1; sent <= 3; sent += 1) {
			await send(host);
			expect(reads).toBe(sent);
		}
		await send(await start({ settings }));
		expect(reads).toBe(4);
	},
);

test('of more than 100 nodes the one that was read first is forgotten', async () => {
	const all = await Promise.all(Array.from({ length: 101 }, async () => await start()));
	for (const host of all) await send(host);
	expect(reads).toBe(101);
	const [first, second] = all;
	if (first === undefined || second === undefined) throw new Error('No hosts');

	for (const host of all.slice(1)) await send(host);
	expect(reads).toBe(101);
	await send(first);
	expect(reads).toBe(102);
	await send(second);
	expect(reads).toBe(103);
});
