import assert from 'node:assert/strict';
import { openMany } from './support/manyWaits.mts';
import { complete } from '../support/sandboxService.mts';
import { send } from '../../sandbox/testing/send.mts';
import { at, partsOf } from './support/parts.mts';

const { front, slowDown, restore, start } = await openMany('Queue waiting');
afterEach(restore);

test('100 that are completed at the same moment, at a slow service: the next round finds them all', async () => {
	slowDown();
	const { ids, output } = await start(100, {
		wait: { limitWaitTime: true, resumeAmount: 20, resumeUnit: 'seconds' },
		paths: ['Webhook -> Items -> Create -> Wait -> Next', 'Wait/1 -> Wait'],
	});
	await Promise.all(ids.map((id) => complete(id)));
	const items = [...(await output()).values()];
	expect(items.filter(({ shareStatus }) => shareStatus === 'completed').length).toBe(100);
});

test('reads that lag: each process knows what it was told itself', async () => {
	const { waits, output } = await start(2);
	const [a, b] = waits;
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
	expect(await tell(a, one)).toBe('200 {"status":"waiting"}');
	expect(await tell(b, another)).toBe('200 {"status":"waiting"}');
	// From here on, the first process knows of both.
	expect(await tell(b, one)).toBe('200 {"status":"accepted"}');
	const items = [...(await output()).values()];
	expect(items.map(({ shareStatus }) => shareStatus)).toStrictEqual(['completed', 'completed']);
});
