import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { openFront } from '../support/front.mts';
import { complete } from '../support/sandboxService.mts';
import { createWaiting, waitingName } from '../support/waiting.mts';
import { splitNode } from '../support/workflows.mts';

const front = await openFront();
afterEach(() => {
	front.decide = undefined;
	front.before = undefined;
});

/** An execution that waits for so many collection requests. */
async function startMany(count: number) {
	const created = await createWaiting({
		name: `E2E waiting: ${count} collection requests`,
		fields: { productionBaseUrl: front.url },
		follow: ({ create, wait, next }) => [splitNode('body.items'), create, wait, next],
	});
	const items = Array.from({ length: count }, (_, index) => ({ index }));
	const waits = await created.requests(await created.start({ items }));
	assert.equal(waits.length, count);
	const [first] = waits;
	assert.ok(first);
	const ids = waits.map(({ requestId }) => requestId);
	/** What comes out of Wait in the end, by request ID. */
	const output = async () => {
		const items = outputOf(await first.endsOnce(120_000), waitingName);
		assert.equal(items.length, count);
		return new Map(items.map((item) => [String(item.requestId), item]));
	};
	return { ids, output };
}

/** The service allows 20 reads a second, and each takes 700 ms. */
function slowDown(): void {
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
}

test('100 that are completed at the same moment, at a slow service with a rate limit', async () => {
	slowDown();
	const { ids, output } = await startMany(100);
	await Promise.all(ids.map((id) => complete(id)));
	const items = [...(await output()).values()];
	const ended = items.filter(
		({ isReached, shareStatus }) => isReached && shareStatus === 'completed',
	);
	assert.equal(ended.length, 100);
});

test('one that is gone does not hold up the others', async () => {
	const { ids, output } = await startMany(3);
	const [gone = '', ...others] = ids;
	front.decide = ({ method, url }) =>
		method === 'GET' && url.endsWith(gone) ? { status: 404, body: {} } : undefined;
	for (const id of others) await complete(id);
	const items = await output();
	const { isReached, readError } = items.get(gone) ?? {};
	assert.equal(isReached, false);
	assert.match(String(readError), /HTTP 404/);
	for (const id of others) assert.equal(items.get(id)?.shareStatus, 'completed');
});
