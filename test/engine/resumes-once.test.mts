import { payload, signed } from '../support/delivery.mts';
import {
	watchedWait,
	type Wait,
} from '../../nodes/DataCollection/actions/collectionRequest/wait/state.ts';
import { json } from './support/faultServer.mts';
import { useVirtualTime } from './support/virtualTime.mts';
import { ACCEPTED, DUPLICATE, LIMIT, NOT_CHECKED, WAITING, waiting } from './support/waiting.mts';

const time = useVirtualTime();

test('a wait that is over does not end again, whatever is reported then', async () => {
	const { notify, outputs } = await waiting(['a', 'b']);
	expect(await notify({ requestId: 'a' })).toBe(WAITING);
	expect(await notify({ requestId: 'b' })).toBe(ACCEPTED);
	expect(await notify({ requestId: 'b', later: true })).toBe(DUPLICATE);
	expect(outputs).toHaveLength(2);
});

test('nor one that ended after a response of our own', async () => {
	const { statuses, notify, started, outputs } = await waiting(['a', 'b']);
	let reads = 0;
	statuses.b = (...call) => {
		reads += 1;
		if (reads === 1) time.advance(4_000);
		const later = json(200, { _id: 'b', shareStatus: 'completed' });
		(reads === 1 ? json(500, {}) : later)(...call);
	};
	expect(await notify({ requestId: 'a' })).toBe(NOT_CHECKED);
	while (started.length === 0) await time.sleep(100);
	expect(await notify({ requestId: 'b' })).toBe(DUPLICATE);
	expect(outputs).toHaveLength(2);
});

test('if n8n refuses to continue, the next notification ends it', async () => {
	let code = 500;
	const { notify, outputs } = await waiting(['a'], { host: { status: () => code } });
	expect(await notify({ requestId: 'a' })).toBe('500 accepted');
	code = 200;
	expect(await notify({ requestId: 'a', again: true })).toBe(ACCEPTED);
	expect(outputs).toHaveLength(4);
});

test('the same notification counts for two executions that wait for the same', async () => {
	const [first, second] = [await waiting(['a']), await waiting(['a'])];
	const sent = signed({ body: payload({ requestId: 'a' }), timestamp: String(time.now()) });
	expect(await first.post(sent)).toBe(ACCEPTED);
	expect(await second.post(sent)).toBe(ACCEPTED);
});

test('near the limit nothing is read any more', async () => {
	const { statuses, notify, urls } = await waiting(['a', 'b'], { parameters: LIMIT });
	time.advance(15 * 60_000 - 2_500);
	statuses.b = (...call) => {
		time.advance(600);
		json(500, {})(...call);
	};
	expect(await notify({ requestId: 'a' })).toBe(WAITING);
	expect(urls()).toHaveLength(1);
});

test('near the limit, reads that had to wait for others do not begin', async () => {
	const names = Array.from({ length: 30 }, (_, index) => `r${index}`);
	const { statuses, notify, urls } = await waiting(names, { parameters: LIMIT });
	time.advance(15 * 60_000 - 2_500);
	for (const name of names) {
		statuses[name] = (...call) => {
			time.advance(600);
			json(500, {})(...call);
		};
	}
	expect(await notify({ requestId: 'r0' })).toBe(WAITING);
	expect(urls().length).toBeLessThanOrEqual(20);
});

test('of 1000 executions, the one whose last wait began first is forgotten first', () => {
	const of = (executionId: string, startedAt: number): Wait => ({
		...{ executionId, startedAt, endsAt: Infinity, maximumAge: 300 },
		...{ requestIds: ['a'], statuses: ['completed'], needed: 1, reached: new Map() },
	});
	const fill = (count: number, startedAt: number) => {
		for (let one = 0; one < count; one += 1)
			watchedWait(of(`${startedAt}/${one}`, startedAt), true);
	};
	watchedWait(of('rounds', 1), true);
	fill(900, 2);
	watchedWait(of('rounds', 3), true);
	fill(500, 4);
	expect(watchedWait(of('rounds', 3)).isOwn).toBe(true);
	expect(watchedWait(of('2/0', 2)).isOwn).toBe(false);
});
