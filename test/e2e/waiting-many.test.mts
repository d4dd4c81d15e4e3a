import { openMany } from '../support/manyWaits.mts';
import { complete } from '../support/sandboxService.mts';

const { front, slowDown, restore, start } = await openMany('E2E waiting');
afterEach(restore);

test('100 that are completed at the same moment, at a slow service with a rate limit', async () => {
	slowDown();
	const { ids, output } = await start(100);
	await Promise.all(ids.map((id) => complete(id)));
	const items = [...(await output()).values()];
	const ended = items.filter(
		({ isReached, shareStatus }) => isReached && shareStatus === 'completed',
	);
	expect(ended.length).toBe(100);
});

test('one that is gone does not hold up the others', async () => {
	const { ids, output } = await start(3);
	const [gone = '', ...others] = ids;
	front.decide = ({ method, url }) =>
		method === 'GET' && url.endsWith(gone) ? { status: 404, body: {} } : undefined;
	for (const id of others) await complete(id);
	const items = await output();
	const { isReached, readError } = items.get(gone) ?? {};
	expect(isReached).toBe(false);
	expect(String(readError)).toMatch(/HTTP 404/);
	for (const id of others) expect(items.get(id)?.shareStatus).toBe('completed');
});
