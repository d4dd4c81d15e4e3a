import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { runAction, runError, runOk } from './support/engine.mts';
import type { Answer, FaultServer } from './support/faultServer.mts';
import { json, startFaultServer, text, withFaultServer } from './support/faultServer.mts';
import { containing } from './support/matchers.mts';
import { actionAt, BOTH } from './support/operations.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const time = useVirtualTime();

const FINE = json(200, { _id: '1' });
const MAY_EXIST = 'The collection request may exist all the same';
const httpDate = (milliseconds: number) => new Date(milliseconds).toUTCString();

/** Answers the first requests like this, in order, and all later ones well; notes the times. */
function afterwardsFine(first: Answer[]): { answer: Answer; times: number[] } {
	const times: number[] = [];
	const answer: Answer = (response, request, index) => {
		times.push(time.now());
		(first[index] ?? FINE)(response, request, index);
	};
	return { answer, times };
}

const gaps = (times: number[]) => times.slice(1).map((at, index) => at - (times[index] ?? NaN));

describe.each(BOTH)('the service asks for fewer requests at a %s', (operation) => {
	test.each<[string, () => Record<string, string>, number, number]>([
		['in seconds', () => ({ 'retry-after': '1' }), 1000, 1250],
		['as a date', () => ({ 'retry-after': httpDate(time.now() + 7000) }), 7000, 7250],
		['of a time that is over', () => ({ 'retry-after': httpDate(time.now() - 7000) }), 0, 250],
		['of 30 seconds', () => ({ 'retry-after': '30' }), 30_000, 30_250],
		['that is nonsense', () => ({ 'retry-after': 'soon' }), 100, 1000],
		['not at all', () => ({}), 100, 1000],
	])('%s: 2 requests, that far apart', async (_title, headers, atLeast, atMost) => {
		const busy: Answer = (...args) => json(429, {}, headers())(...args);
		const { answer, times } = afterwardsFine([busy]);
		await withFaultServer(answer, async ({ url, requests }) => {
			expect(await runOk(actionAt(operation, url))).toMatchObject({ _id: '1' });
			expect(requests).toHaveLength(2);
			expect(requests[1]).toMatchObject({ method: requests[0]?.method, body: requests[0]?.body });
			expect(gaps(times)[0]).toBeGreaterThanOrEqual(atLeast);
			expect(gaps(times)[0]).toBeLessThanOrEqual(atMost);
		});
	});

	test('a pause above 30 seconds is not waited for but told', async () => {
		await withFaultServer(json(429, {}, { 'retry-after': '31' }), async ({ url, requests }) => {
			const error = await runError(actionAt(operation, url));
			expect(error.message).toBe('The service asks for fewer requests at a time (HTTP 429)');
			expect(error.description).toContain('Try again in 31 seconds or later');
			expect(requests).toHaveLength(1);
			expect(time.slept).toEqual([]);
		});
	});

	test('for ever: exactly 3 attempts', async () => {
		await withFaultServer(json(429, {}, { 'retry-after': '2' }), async ({ url, requests }) => {
			const error = await runError(actionAt(operation, url));
			expect(error).toMatchObject({ httpCode: '429', itemIndex: 0 });
			expect(requests).toHaveLength(3);
			expect(time.slept).toHaveLength(2);
		});
	});
});

describe('a fault that passes', () => {
	const broken: Array<[string, Answer]> = [
		['500 with JSON', json(500, { message: 'oops' })],
		['500 with a web page', text(500, '<html>oops</html>', 'text/html')],
		['502', text(502, '<html>', 'text/html')],
		['503', json(503, {})],
		['503 with Retry-After', json(503, {}, { 'retry-after': '3' })],
		['504', json(504, {})],
		['408', json(408, {})],
		['a reset', (response) => void response.socket?.resetAndDestroy()],
		['a close without a byte', (response) => void response.socket?.end()],
		[
			'a body cut short',
			(response) => {
				response.writeHead(200, { 'content-length': '100' });
				response.write('{"_id":"1"', () => response.destroy());
			},
		],
	];

	test.each(broken)('%s, twice: a read is tried until it succeeds', async (_title, fault) => {
		const { answer } = afterwardsFine([fault, fault]);
		await withFaultServer(answer, async ({ url, requests }) => {
			expect(await runOk(actionAt('read', url))).toMatchObject({ _id: '1' });
			expect(requests).toHaveLength(3);
		});
	});

	test.each(broken)('%s, for ever: a read ends after 3 attempts', async (_title, fault) => {
		await withFaultServer(fault, async ({ url, requests }) => {
			const error = await runError(actionAt('read', url));
			expect(error.message).not.toContain(MAY_EXIST);
			expect(requests).toHaveLength(3);
		});
	});

	test.each(broken)('%s, once: a create is not sent again and says so', async (_title, fault) => {
		const { answer } = afterwardsFine([fault]);
		await withFaultServer(answer, async ({ url, requests }) => {
			const error = await runError(actionAt('create', url));
			expect(error.message).toContain(MAY_EXIST);
			expect(requests).toHaveLength(1);
			expect(time.slept).toEqual([]);
		});
	});

	test('503 with Retry-After: the read waits as long as it is asked to', async () => {
		const { answer, times } = afterwardsFine([json(503, {}, { 'retry-after': '9' })]);
		await withFaultServer(answer, async ({ url }) => {
			await runOk(actionAt('read', url));
			expect(gaps(times)[0]).toBeGreaterThanOrEqual(9000);
		});
	});
});

test.each(BOTH)(
	'nobody listens at first: a %s is tried again, and sent exactly once',
	async (operation) => {
		const probe = createServer().listen(0, '127.0.0.1');
		await once(probe, 'listening');
		const { port } = probe.address() as AddressInfo;
		probe.close();
		await once(probe, 'close');

		let server: FaultServer | undefined;
		time.onSleep = async () => {
			server ??= await startFaultServer(FINE, port);
		};
		expect(await runOk(actionAt(operation, `http://127.0.0.1:${port}`))).toMatchObject({
			_id: '1',
		});
		await server?.stop();
		expect(server?.requests).toHaveLength(1);
		expect(time.slept).toHaveLength(1);
	},
);

describe('a connection kept open that the service has closed meanwhile', () => {
	const ITEMS = [{ n: 1 }, { n: 2 }];
	/** Answers the first and breaks the connection at the next request, like a stale one. */
	const stale: Answer = (response, request, index) => {
		if (index === 1) response.socket?.resetAndDestroy();
		else FINE(response, request, index);
	};
	const options = { concurrency: 1 };

	test('a read is tried again', async () => {
		await withFaultServer(stale, async ({ url, requests }) => {
			const run = await runAction({ ...actionAt('read', url, { options }), input: ITEMS });
			expect(run.error).toBeUndefined();
			expect(run.json).toHaveLength(2);
			expect(requests).toHaveLength(3);
		});
	});

	test('a create may exist', async () => {
		await withFaultServer(stale, async ({ url, requests }) => {
			const run = await runAction({ ...actionAt('create', url, { options }), input: ITEMS });
			expect(run.error).toMatchObject({ message: containing(MAY_EXIST) });
			expect(requests).toHaveLength(2);
		});
	});
});

test.each([429, 503])(
	'three executions that meet %i together do not come back together',
	async (status) => {
		const { answer } = afterwardsFine([json(status, {}), json(status, {}), json(status, {})]);
		// Above the floor of 100 ms, at which several would meet once in a while.
		let drawn = 0;
		const random = jest.spyOn(Math, 'random').mockImplementation(() => 0.2 + (drawn++ % 70) / 100);
		await withFaultServer(answer, async ({ url, requests }) => {
			await Promise.all([1, 2, 3].map(async () => await runOk(actionAt('read', url))));
			expect(requests).toHaveLength(6);
			// The first pauses; a random one may leave a rest to sleep after another's step.
			expect(new Set(time.slept).size).toBeGreaterThanOrEqual(3);
		});
		random.mockRestore();
	},
);

describe('a cancelled execution', () => {
	test.each(BOTH)(
		'during the pause before another attempt sends no %s any more',
		async (operation) => {
			let cancel = () => {};
			time.onSleep = () => cancel();
			await withFaultServer(json(429, {}), async ({ url, requests }) => {
				const ended = runAction({
					...actionAt(operation, url),
					onStart: (stop) => (cancel = stop),
				}).catch(() => undefined);
				await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 500))]);
				expect(requests).toHaveLength(1);
			});
		},
	);

	test('starts none of the items that are left', async () => {
		let cancel = () => {};
		const answer: Answer = (response, request, index) => {
			if (index === 1) cancel();
			FINE(response, request, index);
		};
		await withFaultServer(answer, async ({ url, requests }) => {
			const ended = runAction({
				...actionAt('create', url, { options: { concurrency: 2 } }),
				input: Array.from({ length: 20 }, (_, n) => ({ n })),
				onStart: (stop) => (cancel = stop),
			}).catch(() => undefined);
			await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 500))]);
			expect(requests.length).toBeLessThanOrEqual(3);
		});
	});
});
