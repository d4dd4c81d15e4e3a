import type { ServerResponse } from 'node:http';
import { runError, runOk } from './support/engine.mts';
import type { Answer } from './support/faultServer.mts';
import { json, withFaultServer } from './support/faultServer.mts';
import { actionAt, BOTH } from './support/operations.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const time = useVirtualTime();

const FINE = json(200, { _id: '1' });
const MAY_EXIST = 'The collection request may exist all the same';

/** One byte of a good answer every virtual second, until the receiver has had enough. */
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

describe.each(BOTH)('no whole answer to a %s', (operation) => {
	const doubt = operation === 'create' ? `. ${MAY_EXIST}` : '';
	const attempts = operation === 'create' ? 1 : 3;

	test('headers that never come: given up at the timeout, not before', async () => {
		const started: number[] = [];
		const hang: Answer = () => {
			started.push(time.now());
			time.advance(29_999);
			setTimeout(() => time.advance(1), 20);
		};
		await withFaultServer(hang, async ({ url, requests }) => {
			const error = await runError(actionAt(operation, url));
			expect(error.message).toBe(`The service did not respond in time${doubt}`);
			expect(error.description).toContain('(ETIMEDOUT)');
			expect(requests).toHaveLength(attempts);
			expect(time.now() - (started[started.length - 1] ?? NaN)).toBeLessThanOrEqual(30_000);
		});
	});

	test('a body that drips: given up at the same timeout', async () => {
		const drips: Array<Promise<void>> = [];
		await withFaultServer(
			(response) => void drips.push(drip(response)),
			async ({ url, requests }) => {
				const error = await runError(actionAt(operation, url));
				expect(error.message).toBe(`The service did not respond in time${doubt}`);
				expect(requests).toHaveLength(attempts);
			},
		);
		await Promise.all(drips);
	});

	test.each([4_900, 29_000])('a response after %i ms counts', async (delay) => {
		const slow: Answer = (response, request, index) => {
			time.advance(delay);
			setTimeout(() => FINE(response, request, index), 10);
		};
		await withFaultServer(slow, async ({ url, requests }) => {
			expect(await runOk(actionAt(operation, url))).toMatchObject({ _id: '1' });
			expect(requests).toHaveLength(1);
		});
	});

	test.each([1.0015, 1.005, 86_400 * 365])(
		'a timeout of %d s is one that works',
		async (timeout) => {
			await withFaultServer(FINE, async ({ url }) => {
				expect(await runOk(actionAt(operation, url, { options: { timeout } }))).toMatchObject({
					_id: '1',
				});
			});
		},
	);
});

test('reads end after 90 seconds in all: hung once, then asked for pauses', async () => {
	const busy = json(429, {}, { 'retry-after': '30' });
	const answer: Answer = (response, request, index) => {
		if (index === 0) time.advance(30_000);
		else busy(response, request, index);
	};
	const start = time.now();
	await withFaultServer(answer, async ({ url, requests }) => {
		await runError(actionAt('read', url));
		expect(requests.length).toBeLessThanOrEqual(3);
		expect(time.now() - start).toBeLessThanOrEqual(90_000);
	});
});
