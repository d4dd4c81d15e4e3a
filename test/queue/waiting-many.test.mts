import assert from 'node:assert/strict';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { openFront } from '../support/front.mts';
import { complete } from '../support/sandboxService.mts';
import { send } from '../support/send.mts';
import { createWaiting, waitingName } from '../support/waiting.mts';
import { splitNode } from '../support/workflows.mts';
import { at, partsOf } from './support/parts.mts';
import '../e2e/waiting-many.test.mts';

test('reads that lag: each process knows what it was told, and reads the rest once they catch up', async () => {
	const front = await openFront();
	const created = await createWaiting({
		name: 'Queue waiting: reads that lag',
		fields: { productionBaseUrl: front.url },
		follow: ({ create, wait, next }) => [splitNode('body.items'), create, wait, next],
	});
	const [a, b] = await created.requests(await created.start({ items: [1, 2] }));
	const [one, another] = await partsOf('webhook');
	assert.ok(a && b && one && another);
	const tell = async (wait: typeof a, part: typeof one) => {
		const { status, text } = await send(at(part, wait.resumeUrl), wait.delivery());
		return `${status} ${text}`;
	};

	front.before = async (_call, { body }) => {
		body.shareStatus = 'open';
		await Promise.resolve();
	};
	assert.equal(await tell(a, one), '200 {"status":"waiting"}');
	assert.equal(await tell(b, another), '200 {"status":"waiting"}');
	// The same process knows of both.
	assert.equal(await tell(b, one), '200 {"status":"accepted"}');
	const items = outputOf(await a.endsOnce(), waitingName);
	assert.deepEqual(
		items.map(({ shareStatus }) => shareStatus),
		['completed', 'completed'],
	);
	front.before = undefined;
	await Promise.all([complete(a.requestId), complete(b.requestId)]);
});
