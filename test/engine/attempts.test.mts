import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { clock } from '../../nodes/DataCollection/basics/clock.ts';
import { runAction, runError, runOk, stopExecution } from './support/engine.mts';
import { by, json, startFaultServer, type Answer } from './support/faultServer.mts';
import { containing } from '../support/matchers.mts';
import { BOTH, CREATE, MAY_EXIST, READ } from './support/operations.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const time = useVirtualTime();

const httpDate = (milliseconds: number) => new Date(milliseconds).toUTCString();
const busy = (retryAfter: string) => json(429, {}, { 'retry-after': retryAfter });

/** Gives the first requests these responses, in order, and all later ones a good one; notes the times. */
function afterwardsFine(...first: Answer[]) {
	const times: number[] = [];
	const answer = by((_request, index) => {
		times.push(time.now());
		return first[index] ?? json(200, { _id: '1' });
	});
	return { answer, between: () => (times[1] ?? NaN) - (times[0] ?? NaN) };
}

describe.each(BOTH)('the service asks for fewer requests at a %s', (_name, { parameters }) => {
	test.each<[string, () => Answer, number, number]>([
		['in seconds', () => busy('1'), 1000, 1250],
		['as a date', () => busy(httpDate(time.now() + 7000)), 7000, 7250],
		['of 30 seconds', () => busy('30'), 30_000, 30_250],
		['not at all', () => json(429, {}), 100, 1000],
	])('%s: 2 requests, that far apart', async (_title, first, atLeast, atMost) => {
		const { answer, between } = afterwardsFine(first());
		const { item, requests } = await runOk({ parameters, answer });
		expect(item).toMatchObject({ _id: '1' });
		expect(requests).toHaveLength(2);
		expect(requests[1]).toMatchObject({ method: requests[0]?.method, body: requests[0]?.body });
		expect(between()).toBeGreaterThanOrEqual(atLeast);
		expect(between()).toBeLessThanOrEqual(atMost);
	});

	test('a pause above 30 seconds is not waited for but told', async () => {
		expect(await runError({ parameters, answer: busy('31') })).toMatchObject({
			message: 'The service received too many requests (HTTP 429)',
			description: containing('Try again in 31 seconds or later'),
			sent: 1,
		});
		expect(time.slept).toEqual([]);
	});
});

test('a shorter pause that another item is asked for does not end a longer one', async () => {
	const start = time.now();
	const timeout = jest.spyOn(clock, 'timeout');
	const attempts: number[] = [];
	timeout.mockImplementation(() => {
		attempts.push(time.now() - start);
		return new Promise(() => {});
	});
	const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const later: Answer = (...received) => void first.promise.then(() => busy('1')(...received));
	let pauses = 0;
	// The second item is asked for its pause after the first item's has begun, at the same time.
	time.onSleep = async () => {
		pauses += 1;
		if (pauses > 1) return second.resolve();
		first.resolve();
		await second.promise;
	};
	const answer = by((_request, index) => [busy('20'), later][index] ?? json(200, { _id: '1' }));
	const parameters = { ...READ, options: { concurrency: 2 } };
	const { json: items } = await runAction({ parameters, input: [{}, {}, {}], answer });
	timeout.mockRestore();
	expect(items).toHaveLength(3);
	expect(attempts.slice(0, 2)).toEqual([0, 0]);
	expect(Math.min(...attempts.slice(2))).toBeGreaterThanOrEqual(20_000);
});

test('an item that is asleep when another one is asked for a pause keeps that pause, too', async () => {
	const start = time.now();
	const attempts: number[] = [];
	const [asleep, asked, awake] = [0, 1, 2].map(() => Promise.withResolvers<void>());
	const timeout = jest.spyOn(clock, 'timeout').mockImplementation(() => {
		attempts.push(time.now() - start);
		if (attempts.length > 2) awake?.resolve();
		return new Promise(() => {});
	});
	const later: Answer = (...call) => void asleep?.promise.then(() => busy('20')(...call));
	let pauses = 0;
	time.onSleep = async () => {
		pauses += 1;
		if (pauses > 2) return awake?.resolve();
		// The first item sleeps a second at most; meanwhile, the second one gets 429.
		if (pauses === 1) asleep?.resolve();
		else asked?.resolve();
		// The second item's pause must not be over before the first item has woken up.
		await (pauses === 1 ? asked : awake)?.promise;
	};
	const answer = by((_request, index) => [json(503, {}), later][index] ?? json(200, { _id: '1' }));
	const parameters = { ...READ, options: { concurrency: 2 } };
	const { json: items } = await runAction({ parameters, input: [{}, {}], answer });
	timeout.mockRestore();
	expect(items).toHaveLength(2);
	expect(attempts.slice(0, 2)).toEqual([0, 0]);
	expect(attempts).toHaveLength(4);
	expect(Math.min(...attempts.slice(2))).toBeGreaterThanOrEqual(20_000);
});

test.each(BOTH)(
	'nobody listens at first: a %s is tried again, and sent exactly once',
	async (_name, { parameters }) => {
		const { url, close } = await startFaultServer(json(200, { _id: '1' }));
		await close();
		let server: Awaited<ReturnType<typeof startFaultServer>> | undefined;
		time.onSleep = async () => {
			server ??= await startFaultServer(json(200, { _id: '1' }), {
				port: Number(new URL(url).port),
			});
		};
		const { item } = await runOk({ parameters, credential: { productionBaseUrl: url } });
		expect(item).toMatchObject({ _id: '1' });
		expect(server?.requests).toHaveLength(1);
		expect(time.slept).toHaveLength(1);
	},
);

describe('a connection kept open that the service has closed meanwhile', () => {
	const input = [{ n: 1 }, { n: 2 }];
	const options = { concurrency: 1 };
	/** Serves the first request and breaks the connection at the next, as if it were stale. */
	const answer = by((_request, index) =>
		index === 1 ? ({ socket }) => void socket?.resetAndDestroy() : json(200, { _id: '1' }),
	);

	test('a read is tried again', async () => {
		const run = await runAction({ parameters: { ...READ, options }, input, answer });
		expect(run).toMatchObject({ error: undefined, json: [{ _id: '1' }, { _id: '1' }], sent: 3 });
	});

	test('a create may exist', async () => {
		const error = await runError({ parameters: { ...CREATE, options }, input, answer });
		expect(error).toMatchObject({ message: containing(MAY_EXIST), sent: 2 });
	});
});

test('three executions that are refused together do not come back together', async () => {
	const refusal = json(429, {});
	const { answer } = afterwardsFine(refusal, refusal, refusal);
	const { url, requests } = await startFaultServer(answer);
	// Above the 100 ms minimum, where several pauses would coincide now and then.
	let drawn = 0;
	const random = jest.spyOn(Math, 'random').mockImplementation(() => 0.2 + (drawn++ % 70) / 100);
	const run = { parameters: READ, credential: { productionBaseUrl: url } };
	await Promise.all([runOk(run), runOk(run), runOk(run)]);
	random.mockRestore();
	expect(requests).toHaveLength(6);
	// One first pause per run; there may be more, as a pause sleeps again for what another's step left.
	expect(new Set(time.slept).size).toBeGreaterThanOrEqual(3);
});

test('a cancelled execution starts none of the items that are left', async () => {
	const { sent } = await runAction({
		parameters: { ...CREATE, options: { concurrency: 2 } },
		input: Array.from({ length: 20 }, (_, n) => ({ n })),
		answer: by((_request, index) => {
			if (index === 1) stopExecution();
			return json(200, { _id: '1' });
		}),
	});
	expect(sent).toBeLessThanOrEqual(3);
});

/** One byte of a good response every virtual second, until the receiver gives up. */
async function drip(response: ServerResponse): Promise<void> {
	response.writeHead(200, { 'content-type': 'application/json' });
	for (const byte of JSON.stringify({ _id: '1', title: 'x'.repeat(60) })) {
		if (response.destroyed) return;
		response.write(byte);
		await new Promise((resolve) => setImmediate(resolve));
		time.advance(1000);
	}
	response.end();
}

/** Responds like this; `closed` collects promises that resolve once the node closes the connection. */
function watched(answer: Answer) {
	const closed: Array<Promise<unknown>> = [];
	const watching: Answer = (response, ...rest) => {
		closed.push(once(response, 'close'));
		answer(response, ...rest);
	};
	return { answer: watching, closed };
}

const begin: Answer = (response) => void response.writeHead(200).write('{"_id":');

describe.each(BOTH)('no whole answer to a %s', (_name, { parameters, attempts, doubt }) => {
	const message = `The service did not respond in time${doubt}`;

	test('a body that drips: given up at the timeout', async () => {
		const drips: Array<Promise<void>> = [];
		const answer = (response: ServerResponse) => void drips.push(drip(response));
		expect(await runError({ parameters, answer })).toMatchObject({ message, sent: attempts });
		await Promise.all(drips);
	});

	test('a response just before the timeout counts', async () => {
		const answer: Answer = (...received) => {
			time.advance(29_999);
			setImmediate(() => json(200, { _id: '1' })(...received));
		};
		expect(await runOk({ parameters, answer })).toMatchObject({ item: { _id: '1' }, sent: 1 });
	});

	// n8n's own timeout is real.
	test.each<[string, Answer]>([
		['before the headers', () => {}],
		['in the body', begin],
	])("silence %s: n8n's own timeout closes the connection", async (_title, hang) => {
		const { answer, closed } = watched(hang);
		const run = { parameters: { ...parameters, options: { timeout: 0.1 } }, answer };
		expect((await runError(run)).message).toBe(message);
		expect(closed.length).toBeGreaterThanOrEqual(1);
		await Promise.all(closed);
	});

	test('one that is cancelled closes its connection', async () => {
		const { answer, closed } = watched((...received) => {
			begin(...received);
			setImmediate(stopExecution);
		});
		await runAction({ parameters, answer });
		expect(closed).toHaveLength(1);
		await Promise.all(closed);
	});

	test('one that is cancelled during the pause before another attempt is not sent any more', async () => {
		time.onSleep = stopExecution;
		expect((await runAction({ parameters, answer: json(429, {}) })).sent).toBe(1);
	});
});

test('reads end after 90 seconds in all: hung once, then asked for pauses', async () => {
	const start = time.now();
	const hang = () => time.advance(30_000);
	const answer = by((_request, index) => (index === 0 ? hang : busy('30')));
	const { sent } = await runError({ parameters: READ, answer });
	expect(sent).toBeLessThanOrEqual(3);
	expect(time.now() - start).toBeLessThanOrEqual(90_000);
});

/** Responds like this after so many virtual seconds. */
const after =
	(seconds: number, answer: Answer): Answer =>
	(...received) => {
		time.advance(seconds * 1000);
		answer(...received);
	};

test('a Timeout above 90 seconds leaves that much time for further attempts', async () => {
	const { answer } = afterwardsFine(after(100, json(503, {})));
	const parameters = { ...READ, options: { timeout: 200 } };
	expect((await runOk({ parameters, answer })).sent).toBe(2);
});

test('a create has its whole Timeout for its last attempt, too', async () => {
	const last = after(5, json(200, { _id: '1' }));
	const { answer } = afterwardsFine(after(29, busy('30')), after(29, busy('1')), last);
	expect((await runOk({ parameters: CREATE, answer })).sent).toBe(3);
});
