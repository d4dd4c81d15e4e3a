import { clock } from '../../nodes/DataCollection/basics/clock.ts';
import { remember } from '../../nodes/DataCollection/wait/waitState.ts';
import { payload, signed } from '../support/delivery.mts';
import { held, json } from './support/faultServer.mts';
import { useVirtualTime } from './support/virtualTime.mts';
import { waiting } from './support/waitNode.mts';

// Each wait ends once: by a notification or by its limit, and never by what an earlier wait got.

const time = useVirtualTime();

test('if n8n refuses to continue, the next notification ends it, of whatever status', async () => {
	let code = 500;
	const { notify, outputs } = await waiting(['a'], { host: { status: () => code } });
	expect(await notify({ requestId: 'a' })).toBe('500 accepted');
	code = 200;
	expect(await notify({ requestId: 'a', shareStatus: 'open' })).toBe('200 accepted');
	expect(outputs).toHaveLength(4);
});

test('if n8n refuses to continue, one of those that came at the same moment ends it, too, and is no duplicate', async () => {
	const codes = [500, 200];
	const { notify } = await waiting(['a'], { host: { status: () => codes.shift() ?? NaN } });
	const said = await Promise.all([1, 2, 3].map(async (n) => await notify({ requestId: 'a', n })));
	expect(said.toSorted()).toEqual(['200 accepted', '200 duplicate', '500 accepted']);
});

const notificationOfA = () =>
	signed({ body: payload({ requestId: 'a' }), timestamp: String(time.now()) });

test('the same notification counts for two executions that wait for the same', async () => {
	const [first, second] = [await waiting(['a']), await waiting(['a'])];
	const sent = notificationOfA();
	expect(await first.post(sent)).toBe('200 accepted');
	expect(await second.post(sent)).toBe('200 accepted');
});

describe('a later wait of the same execution', () => {
	test.each([
		['at once', {}, 0],
		['after 23 hours, if any age will do', { options: { maximumAge: 0 } }, 23 * 3_600_000],
	])('does not end by the notification that ended the first one: %s', async (...row) => {
		const [, parameters, later] = row;
		const first = await waiting(['a'], { parameters });
		const sent = notificationOfA();
		expect(await first.post(sent)).toBe('200 accepted');

		time.advance(later);
		const second = await waiting(['a'], { parameters, execution: first.execution });
		expect(await second.post(sent)).toBe('200 duplicate');
		expect(second.started).toEqual([]);
		expect(await second.notify({ requestId: 'a', again: true })).toBe('200 accepted');
	});

	test('does not know what was reported to the first one, in another process, too', async () => {
		const elsewhere = { isElsewhere: true, parameters: { limitWaitTime: true } };
		const first = await waiting(['a', 'b'], elsewhere);
		expect(await first.notify({ requestId: 'a' })).toBe('200 waiting');
		expect(await first.notify({ requestId: 'b' })).toBe('200 accepted');

		const second = await waiting(['a', 'b'], { ...elsewhere, execution: first.execution });
		expect(await second.notify({ requestId: 'b' })).toBe('200 waiting');
		expect(second.started).toEqual([]);
		expect(await second.notify({ requestId: 'a' })).toBe('200 accepted');
	});

	test('has begun: the first one neither ends nor reads any more', async () => {
		const first = await waiting(['a', 'b']);
		first.statuses.b = 'completed';
		const second = await waiting(['a'], { execution: structuredClone(first.execution) });
		expect(await first.notify({ requestId: 'a' })).toBe('200 waiting');
		expect([first.started, first.urls()]).toEqual([[], []]);
		expect(await second.notify({ requestId: 'a' })).toBe('200 accepted');
	});

	test('is the newest although the clock has gone back: its notifications end it, and nothing else', async () => {
		const first = await waiting(['a']);
		const now = clock.now();
		clock.now = () => now - 60_000;
		const second = await waiting(['a'], { execution: structuredClone(first.execution) });
		expect(await first.notify({ requestId: 'a' })).toBe('200 waiting');
		expect(await second.notify({ requestId: 'a', later: true })).toBe('200 accepted');
		expect([first.started, second.started]).toMatchObject([[], [{ requestId: 'a' }]]);
	});

	test('is neither delayed by a slow read of the first one, nor told anything', async () => {
		const first = await waiting(['a', 'b']);
		const b = held(json(200, { _id: 'b', shareStatus: 'completed' }));
		first.statuses.b = b.answer;
		const late = first.notify({ requestId: 'a', about: 'the first wait' });
		await b.asked;
		const second = await waiting(['a', 'b'], { execution: structuredClone(first.execution) });
		expect(await second.notify({ requestId: 'a' })).toBe('200 waiting');
		b.respond();
		expect(await late).toBe('200 waiting');
		expect(first.started).toEqual([]);
		expect(await second.notify({ requestId: 'a', again: true })).toBe('200 waiting');
		expect(await second.notify({ requestId: 'b' })).toBe('200 accepted');
	});
});

describe('near the limit', () => {
	test.each([
		['until two seconds before, a notification ends it', 3_000, '200 accepted'],
		['later only n8n ends it, or both branches would run', 1_999, '200 waiting'],
	])('%s', async (_title, before, response) => {
		const { notify, started } = await waiting(['a'], { parameters: { limitWaitTime: true } });
		time.advance(60 * 60_000 - before);
		expect(await notify({ requestId: 'a' })).toBe(response);
		expect(started).toHaveLength(response === '200 accepted' ? 1 : 0);
	});

	test('a notification whose reads take until then does not end it', async () => {
		const { statuses, notify, started } = await waiting(['a'], {
			parameters: { limitWaitTime: true },
		});
		statuses.a = (...call) => {
			time.advance(1_100);
			json(200, { _id: 'a', shareStatus: 'open' })(...call);
		};
		time.advance(60 * 60_000 - 3_000);
		expect(await notify({ requestId: 'a' })).toBe('200 waiting');
		expect(started).toEqual([]);
	});
});

test('a wait is remembered for 30 days after the last notification, or for 10 minutes after its end', () => {
	const [day, minute] = [24 * 3_600_000, 60_000];
	const at = (executionId: string, now: number) =>
		remember({ executionId, number: 1, reached: new Map() } as never, now);
	at('known', 0).reached.set('a', 'completed');
	at('silent', 0).reached.set('a', 'completed');
	at('known', 29 * day);
	at('another', 31 * day);
	expect([at('known', 31 * day).reached.size, at('silent', 31 * day).reached.size]).toEqual([1, 0]);

	at('ended', 40 * day).end = Promise.resolve(true);
	at('of 9 minutes later', 40 * day + 9 * minute);
	expect(at('ended', 40 * day).end).toBeDefined();
	at('of 11 minutes later', 40 * day + 11 * minute);
	expect(at('ended', 40 * day).end).toBeUndefined();
});
