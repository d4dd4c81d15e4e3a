import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { clock } from '../../nodes/DataCollection/basics/clock.ts';
import { createClient } from '../../nodes/DataCollection/service/client.ts';
import { connectionOf } from '../../nodes/DataCollection/service/connection.ts';
import { containing } from '../support/matchers.mts';
import { runAction, runError, runOk, stopExecution } from './support/engine.mts';
import { by, json, selfSigned, startFaultServer, type Answer } from './support/faultServer.mts';
import { CREDENTIAL } from './support/storedCredential.mts';
import { useVirtualTime } from './support/virtualTime.mts';

// How often and how long the nodes try. Which failure says what is in `messages.test.mts`, and the
// rules for pauses and repetitions are in the unit tests.

const time = useVirtualTime();

const READ = { resource: 'collectionRequest', operation: 'get', requestId: '1' };
const CREATE = { resource: 'collectionRequest', operation: 'create', templateId: 't1' };

const fine = json(200, { _id: '1' });
const busy = (retryAfter: string) => json(429, {}, { 'retry-after': retryAfter });
/** Responds like this to the first requests, in order, and then well. */
const first = (...answers: Answer[]) => by((_request, index) => answers[index] ?? fine);
/** Responds like this after so many virtual seconds. */
const after =
	(seconds: number, answer: Answer): Answer =>
	(...received) => {
		time.advance(seconds * 1000);
		answer(...received);
	};
const begin: Answer = (response) => void response.writeHead(200).write('{"_id":');

describe.each([
	['read', READ, 3, ''],
	['create', CREATE, 1, '. The collection request may have been created anyway'],
])('a %s', (_name, parameters, attempts, doubt) => {
	test.each([
		['in seconds', () => '1', 1_000],
		['as a date', () => new Date(time.now() + 7_000).toUTCString(), 7_000],
	])('that is asked for a pause %s comes again after it', async (_title, retryAfter, pause) => {
		clock.random = () => 0.5;
		const { item, requests } = await runOk({ parameters, answer: first(busy(retryAfter())) });
		expect(item).toMatchObject({ _id: '1' });
		const [{ method, body } = {}] = requests;
		expect(requests).toMatchObject([{}, { method, body }]);
		expect(time.slept).toEqual([pause + 125]);
	});

	test('to a service that nobody runs at first is tried again, and sent once', async () => {
		const { url, close } = await startFaultServer(fine);
		await close();
		let server: Awaited<ReturnType<typeof startFaultServer>> | undefined;
		time.onSleep = async () => {
			server ??= await startFaultServer(fine, { port: Number(new URL(url).port) });
		};
		const { item } = await runOk({ parameters, credential: { productionBaseUrl: url } });
		expect(item).toMatchObject({ _id: '1' });
		expect([server?.requests.length, time.slept.length]).toEqual([1, 1]);
	});

	test('whose response drips is given up at the timeout', async () => {
		const drips: Array<Promise<void>> = [];
		/** One byte of a good response every virtual second. */
		const drip = async (response: ServerResponse) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			for (const byte of JSON.stringify({ _id: '1', title: 'x'.repeat(60) })) {
				response.write(byte);
				await new Promise((resolve) => setImmediate(resolve));
				time.advance(1_000);
			}
			response.end();
		};
		const answer = (response: ServerResponse) => void drips.push(drip(response));
		const message = `The service did not respond in time${doubt}`;
		expect(await runError({ parameters, answer })).toMatchObject({ message, sent: attempts });
		await Promise.all(drips);
	});

	test('takes a response just before the timeout', async () => {
		const answer: Answer = (...received) => {
			time.advance(29_999);
			setImmediate(() => fine(...received));
		};
		expect(await runOk({ parameters, answer })).toMatchObject({ item: { _id: '1' }, sent: 1 });
	});

	// n8n's own timeout is real. It leaves a busy machine time to receive the request in this process.
	test.each<[string, Answer, () => void, number]>([
		['that gets no headers', () => {}, () => {}, 0.4],
		['that gets no whole body', begin, () => {}, 0.4],
		['that is cancelled', begin, stopExecution, 30],
	])('%s closes its connection', async (_title, hang, then, timeout) => {
		const closed: Array<Promise<unknown>> = [];
		const answer: Answer = (...received) => {
			closed.push(once(received[0], 'close'));
			hang(...received);
			setImmediate(then);
		};
		await runAction({ parameters: { ...parameters, options: { timeout } }, answer });
		expect(closed.length).toBeGreaterThanOrEqual(1);
		await Promise.all(closed);
	});

	test('that is cancelled during a pause is not sent any more', async () => {
		time.onSleep = stopExecution;
		expect((await runAction({ parameters, answer: json(429, {}) })).sent).toBe(1);
	});

	test('to a host with a self-signed certificate is not sent', async () => {
		const { url, requests } = await startFaultServer(fine, { certificate: selfSigned });
		expect(await runError({ parameters, credential: { productionBaseUrl: url } })).toMatchObject({
			message: 'A secure connection to the service could not be established',
			description: containing('(DEPTH_ZERO_SELF_SIGNED_CERT)'),
		});
		expect(requests).toEqual([]);
	});

	// The same code can occur in the middle of a response, so it proves nothing for a create.
	test('by https to an http port says that the connection failed', async () => {
		const { url, requests } = await startFaultServer(fine);
		const credential = { productionBaseUrl: url.replace('http:', 'https:') };
		const message = `The secure connection to the service failed${doubt}`;
		expect(await runError({ parameters, credential })).toMatchObject({ message });
		expect(requests).toEqual([]);
	});

	test('that is redirected to another host sends nothing there', async () => {
		const target = await startFaultServer(fine);
		const answer = json(307, {}, { location: `${target.url}/elsewhere` });
		expect(await runError({ parameters, answer })).toMatchObject({ httpCode: '307', sent: 1 });
		expect(target.requests).toEqual([]);
	});
});

test('a pause of more than 30 seconds is not waited for but told', async () => {
	expect(await runError({ parameters: READ, answer: busy('31') })).toMatchObject({
		message: 'The service received too many requests (HTTP 429)',
		description: containing('Try again in 31 seconds or later'),
		sent: 1,
	});
	expect(time.slept).toEqual([]);
});

/** A client to whose reads the service responds like this, by ID and in order, and then well. */
function clientOf(responses: Record<string, Array<[statusCode: number, retryAfter?: string]>>) {
	const connection = connectionOf(CREDENTIAL);
	if (!connection.ok) throw new Error(connection.error.message);
	const start = time.now();
	const sentAfter: number[] = [];
	const client = createClient({
		connection: connection.value,
		send: async ({ url }) => {
			const id = url.at(-1) ?? '';
			sentAfter.push(time.now() - start);
			const [statusCode, retryAfter] = responses[id]?.shift() ?? [200];
			const value = { statusCode, headers: { 'retry-after': retryAfter }, body: { _id: id } };
			return await Promise.resolve({ ok: true, value });
		},
	});
	const read = async (id: string) => await client.getCollectionRequest(id, { timeout: 30 });
	return { read, sentAfter };
}

test('of several items, none is sent during the longest pause that one is asked for', async () => {
	// The first one is asleep when the others are asked for their pauses.
	const { read, sentAfter } = clientOf({ a: [[503]], b: [[429, '20']], c: [[429, '1']] });
	await Promise.all(['a', 'b', 'c'].map(read));
	expect(sentAfter.slice(0, 3)).toEqual([0, 0, 0]);
	expect(sentAfter).toHaveLength(6);
	expect(Math.min(...sentAfter.slice(3))).toBeGreaterThanOrEqual(20_000);
});

test('the 90 seconds of an item that begins during the pause of another begin after it', async () => {
	const pause: [number, string] = [429, '30'];
	const { read, sentAfter } = clientOf({ a: [pause], b: [pause, pause] });
	let second: ReturnType<typeof read> | undefined;
	time.onSleep = () => {
		time.onSleep = () => {};
		second = read('b');
	};
	await read('a');
	expect(await second).toMatchObject({ ok: true });
	expect(sentAfter).toHaveLength(5);
});

test('a cancelled execution starts none of the items that are left', async () => {
	const { sent } = await runAction({
		parameters: { ...CREATE, options: { concurrency: 2 } },
		input: Array.from({ length: 20 }, (_, n) => ({ n })),
		answer: by((_request, index) => {
			if (index === 1) stopExecution();
			return fine;
		}),
	});
	expect(sent).toBe(2);
});

test('no attempt begins after 90 seconds: the first one hung, and the second was asked for a pause', async () => {
	const hang = () => time.advance(60_000);
	const answer = by((_request, index) => (index === 0 ? hang : busy('30')));
	const parameters = { ...READ, options: { timeout: 60 } };
	expect((await runError({ parameters, answer })).sent).toBe(2);
});

test('a Timeout above 90 seconds leaves that much time for further attempts', async () => {
	const parameters = { ...READ, options: { timeout: 200 } };
	expect((await runOk({ parameters, answer: first(after(100, json(503, {}))) })).sent).toBe(2);
});

test('a create has its whole Timeout for its last attempt, too', async () => {
	const answer = first(after(29, busy('30')), after(29, busy('1')), after(5, fine));
	expect((await runOk({ parameters: CREATE, answer })).sent).toBe(3);
});
