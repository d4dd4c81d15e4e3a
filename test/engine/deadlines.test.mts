import type { ServerResponse } from 'node:http';
import { runError, runOk } from './support/engine.mts';
import { by, json } from './support/faultServer.mts';
import { matching } from '../support/matchers.mts';
import { BOTH, READ } from './support/operations.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const time = useVirtualTime();

const FINE = json(200, { _id: '1' });

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

describe.each(BOTH)('no whole answer to a %s', (_name, { parameters, attempts, doubt }) => {
	const message = `The service did not respond in time${doubt}`;

	test('headers that never come: given up at the timeout, not before', async () => {
		let started = 0;
		const answer = () => {
			started = time.now();
			time.advance(29_999);
			setTimeout(() => time.advance(1), 20);
		};
		const error = await runError({ parameters, answer });
		const description = matching(/^(?=.*increase Timeout).*\(ETIMEDOUT\)/s);
		expect(error).toMatchObject({ message, description, sent: attempts });
		expect(time.now() - started).toBeLessThanOrEqual(30_000);
	});

	test('a body that drips: given up at the same timeout', async () => {
		const drips: Array<Promise<void>> = [];
		const answer = (response: ServerResponse) => void drips.push(drip(response));
		expect(await runError({ parameters, answer })).toMatchObject({ message, sent: attempts });
		await Promise.all(drips);
	});

	test.each([4_900, 29_000])('a response after %i ms counts', async (delay) => {
		const { item, sent } = await runOk({
			parameters,
			answer: (...received) => {
				time.advance(delay);
				setTimeout(() => FINE(...received), 10);
			},
		});
		expect([item, sent]).toMatchObject([{ _id: '1' }, 1]);
	});

	test.each([1.0015, 1.005, 86_400 * 365])(
		'a timeout of %d s is one that works',
		async (timeout) => {
			const run = { parameters: { ...parameters, options: { timeout } }, answer: FINE };
			expect((await runOk(run)).item).toMatchObject({ _id: '1' });
		},
	);
});

test('reads end after 90 seconds in all: hung once, then asked for pauses', async () => {
	const start = time.now();
	const hang = () => time.advance(30_000);
	const busy = json(429, {}, { 'retry-after': '30' });
	const answer = by((_request, index) => (index === 0 ? hang : busy));
	const { sent } = await runError({ parameters: READ, answer });
	expect(sent).toBeLessThanOrEqual(3);
	expect(time.now() - start).toBeLessThanOrEqual(90_000);
});
