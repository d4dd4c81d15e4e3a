import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { outputOf } from '../../../sandbox/n8n/types.mts';
import { openFront } from '../../support/front.mts';
import { createWaiting, waitingName, type WaitingOptions } from '../../support/waiting.mts';
import { splitNode } from '../../support/workflows.mts';

/** A service in front of which reads can be slowed down, and executions that wait for many requests. */
export async function openMany(name: string) {
	const front = await openFront();
	/** The service allows 20 reads a second, and each takes 700 ms. */
	const slowDown = (): void => {
		let second = 0;
		let reads = 0;
		front.decide = ({ method, at }) => {
			if (method !== 'GET') return undefined;
			const now = Math.floor(at / 1000);
			if (now !== second) [second, reads] = [now, 0];
			reads += 1;
			if (reads <= 20) return undefined;
			return { status: 429, body: {}, headers: { 'retry-after': '1' } };
		};
		front.before = ({ method }) => (method === 'GET' ? sleep(700) : Promise.resolve());
	};
	const restore = (): void => {
		front.decide = undefined;
		front.before = undefined;
	};
	/** An execution that waits for so many collection requests. */
	const start = async (count: number, options: Partial<WaitingOptions> = {}) => {
		const created = await createWaiting({
			name: `${name}: ${count} collection requests`,
			fields: { productionBaseUrl: front.url },
			follow: ({ create, wait, next }) => [splitNode('body.items'), create, wait, next],
			...options,
		});
		const items = Array.from({ length: count }, (_, index) => ({ index }));
		const waits = await created.requests(await created.start({ items }));
		expect(waits.length).toBe(count);
		const [first] = waits;
		assert.ok(first);
		/** What comes out of the wait in the end, by request ID. */
		const output = async () => {
			const ended = outputOf(await first.endsOnce(150_000), waitingName);
			expect(ended.length).toBe(count);
			return new Map(ended.map((item) => [String(item.requestId), item]));
		};
		return { waits, ids: waits.map(({ requestId }) => requestId), output };
	};
	return { front, slowDown, restore, start };
}
