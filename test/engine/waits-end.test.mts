import { json, type Answer } from './support/faultServer.mts';
import { containing } from '../support/matchers.mts';
import { payload, signed } from '../support/delivery.mts';
import { useVirtualTime } from './support/virtualTime.mts';
import {
	ACCEPTED,
	DUPLICATE,
	IGNORED,
	itemsOf,
	LIMIT,
	NOT_CHECKED,
	service,
	type Statuses,
	wait,
	WAITING,
	waiting,
} from './support/waiting.mts';

const time = useVirtualTime();
const ids = (count: number) => Array.from({ length: count }, (_, index) => `r${index}`);
const allOf = (names: string[], status: string): Statuses =>
	Object.fromEntries(names.map((id) => [id, status]));
const OPEN = json(200, { _id: 'b', shareStatus: 'open' });

/** The service allows this many reads in a second; each takes some time, in milliseconds. */
function limited(answer: Answer, perSecond: number, duration: number): Answer {
	let second = 0;
	let count = 0;
	return (...call) => {
		const now = Math.floor(time.now() / 1000);
		if (now !== second) [second, count] = [now, 0];
		count += 1;
		const refused = json(429, {}, { 'retry-after': '1' });
		if (count > perSecond) return refused(...call);
		void time.sleep(duration).then(() => answer(...call));
	};
}

describe('100 collection requests, with a service that allows 20 reads a second of 700 ms', () => {
	const names = ids(100);

	test('it goes on at once if all are completed', async () => {
		const answer = limited(service(allOf(names, 'completed')), 20, 700);
		const run = await wait(answer, itemsOf(...names));
		expect(run).toMatchObject({ error: undefined, until: undefined, hints: [] });
		expect(run.json.filter(({ isReached }) => isReached)).toHaveLength(100);
	});

	test('what completes while it reads is seen before it waits', async () => {
		const statuses = { ...allOf(names, 'completed'), r0: 'open' };
		const answer = service(statuses);
		const run = await wait(
			(...call) => {
				if (call[2] === 99) statuses.r0 = 'completed';
				limited(answer, 1_000, 1_500)(...call);
			},
			itemsOf(...names),
		);
		expect(run).toMatchObject({ error: undefined, until: undefined });
	});

	test('100 notifications at the same moment end it, once', async () => {
		const { statuses, notify, started } = await waiting(names);
		const slow = limited(service(allOf(names, 'completed')), 20, 700);
		for (const id of names) statuses[id] = slow;
		await Promise.all(names.map(async (requestId) => await notify({ requestId })));
		while (started.length === 0) await time.sleep(1_000);
		await time.sleep(1_000);
		expect(started.map(({ requestId }) => requestId)).toEqual(names);
		expect(started.filter(({ shareStatus }) => shareStatus === 'completed')).toHaveLength(100);
	});

	test('the last notification ends it although the others were not reported to this process', async () => {
		const { statuses, notify, started } = await waiting(names);
		const slow = limited(service(allOf(names, 'completed')), 20, 700);
		for (const id of names) statuses[id] = slow;
		await notify({ requestId: 'r0' });
		while (started.length === 0) await time.sleep(1_000);
		expect(started).toHaveLength(100);
	});
});

describe('reads that lag behind the notifications', () => {
	test('two final notifications end it, although each read of the other says open', async () => {
		const { notify, started } = await waiting(['a', 'b']);
		expect(await notify({ requestId: 'a' })).toBe(WAITING);
		expect(await notify({ requestId: 'b' })).toBe(ACCEPTED);
		expect(started).toMatchObject([
			{ requestId: 'a', shareStatus: 'completed', isReached: true },
			{ requestId: 'b', shareStatus: 'completed', isReached: true },
		]);
	});

	test('30 final notifications at the same moment end it once', async () => {
		const names = ids(30);
		const { notify, started } = await waiting(names);
		const all = await Promise.all(names.map(async (requestId) => await notify({ requestId })));
		expect(all.filter((response) => response === ACCEPTED)).toHaveLength(1);
		expect(started).toHaveLength(30);
	});

	test('a status that was reached stays reached, whatever comes later', async () => {
		const { statuses, notify, started } = await waiting(['a', 'b'], {
			parameters: { waitFor: 'statuses', waitForStatuses: ['reviewed'] },
			statuses: { a: 'draft', b: 'draft' },
		});
		expect(await notify({ requestId: 'a', shareStatus: 'reviewed' })).toBe(WAITING);
		expect(await notify({ requestId: 'a', shareStatus: 'draft' })).toBe(WAITING);
		statuses.a = 'reopened';
		expect(await notify({ requestId: 'b', shareStatus: 'reviewed' })).toBe(ACCEPTED);
		expect(started).toMatchObject([
			{ requestId: 'a', shareStatus: 'reviewed', isReached: true },
			{ requestId: 'b', shareStatus: 'reviewed', isReached: true },
		]);
	});

	test('of two awaited statuses, the one that is read last comes out', async () => {
		const { statuses, notify, started } = await waiting(['a', 'b'], {
			parameters: { waitFor: 'open' },
			statuses: { a: 'draft', b: 'draft' },
		});
		expect(await notify({ requestId: 'a', shareStatus: 'open' })).toBe(WAITING);
		statuses.a = 'completed';
		expect(await notify({ requestId: 'b', shareStatus: 'open' })).toBe(ACCEPTED);
		expect(started).toMatchObject([{ shareStatus: 'completed' }, { shareStatus: 'open' }]);
	});

	test('a status that was read before the wait stays reached, in another process, too', async () => {
		const begun = await waiting(['a', 'b'], {
			parameters: { waitFor: 'statuses', waitForStatuses: ['reviewed'] },
			statuses: { a: 'reviewed', b: 'draft' },
		});
		// Another process knows what is stored, and nothing else.
		Object.assign(begun.kept as object, { executionId: 'unknown to this process' });
		begun.statuses.a = 'draft';
		expect(await begun.notify({ requestId: 'b', shareStatus: 'reviewed' })).toBe(ACCEPTED);
	});

	test('an event that the API does not list shows nothing, whatever status it has', async () => {
		const { notify } = await waiting(['a']);
		const event = 'collection_request.previewed';
		expect(await notify({ event, requestId: 'a', shareStatus: 'completed' })).toBe(IGNORED);
		expect(await notify({ requestId: 'a' })).toBe(ACCEPTED);
	});
});

describe('a collection request that is gone holds nobody up', () => {
	test.each([403, 404, 410])('HTTP %s: the others end the wait', async (status) => {
		const { statuses, notify, started } = await waiting(['a', 'b']);
		statuses.b = json(status, {});
		expect(await notify({ requestId: 'a' })).toBe(ACCEPTED);
		expect(started).toMatchObject([
			{ requestId: 'a', isReached: true },
			{ requestId: 'b', isReached: false, readError: containing(`HTTP ${status}`) },
		]);
	});

	test('the others end it although they were there before the wait', async () => {
		const run = await wait(service({ a: 'completed' }), itemsOf('a', 'gone'));
		expect(run).toMatchObject({ error: undefined, until: undefined });
		expect(run.requests).toHaveLength(2);
		expect(run.json).toMatchObject([
			{ requestId: 'a', isReached: true },
			{ requestId: 'gone', isReached: false, readError: containing('HTTP 404') },
		]);
	});
});

describe('when everything was reported and reading fails', () => {
	test.each<[string, Answer]>([
		['with 500', json(500, {})],
		['by hanging', () => void setImmediate(() => time.advance(3_000))],
	])('%s, the wait ends with what is known', async (_title, broken) => {
		const { statuses, notify, started } = await waiting(['a', 'b']);
		await notify({ requestId: 'a' });
		statuses.a = broken;
		statuses.b = broken;
		expect(await notify({ requestId: 'b' })).toBe(ACCEPTED);
		const known = { shareStatus: 'completed', isReached: true, timedOut: false };
		const readError = containing('service');
		expect(started).toMatchObject([
			{ requestId: 'a', guestLink: containing('/request/a'), ...known, readError },
			{ requestId: 'b', ...known, readError, notification: { requestId: 'b' } },
		]);
	});

	test('while one status is unknown, the reads go on after the response, and end the wait', async () => {
		const { statuses, notify, started } = await waiting(['a', 'b']);
		let reads = 0;
		statuses.b = (...call) => {
			reads += 1;
			if (reads === 1) time.advance(4_000);
			const answer =
				reads === 1 ? json(500, {}) : json(200, { _id: 'b', shareStatus: 'completed' });
			answer(...call);
		};
		expect(await notify({ requestId: 'a' })).toBe(NOT_CHECKED);
		while (started.length === 0) await time.sleep(100);
		expect(started).toMatchObject([{ requestId: 'a' }, { requestId: 'b', isReached: true }]);
	});
});

describe('ten seconds after the last notification it looks once more', () => {
	test('and so ends the wait although other notifications never arrived', async () => {
		const { statuses, notify, started } = await waiting(['a', 'b', 'c']);
		expect(await notify({ requestId: 'a', shareStatus: 'open' })).toBe(WAITING);
		Object.assign(statuses, allOf(['a', 'b', 'c'], 'completed'));
		time.advance(10_000);
		while (started.length === 0) await time.sleep(1);
		expect(started.map(({ shareStatus }) => shareStatus)).toEqual(Array(3).fill('completed'));
	});

	test('it looks once, however many notifications came', async () => {
		const { notify, urls, started } = await waiting(['a', 'b']);
		for (let count = 0; count < 5; count += 1) {
			expect(await notify({ requestId: 'a', shareStatus: 'open', count })).toBe(WAITING);
		}
		const before = urls().length;
		time.advance(10_000);
		while (urls().length < before + 2) await time.sleep(1);
		await time.sleep(1_000);
		time.advance(10_000);
		await time.sleep(1_000);
		expect(urls()).toHaveLength(before + 2);
		expect(started).toEqual([]);
	});

	test('it does not look in another process than the one in which it began to wait', async () => {
		const { kept, notify, urls } = await waiting(['a', 'b']);
		Object.assign(kept as object, { executionId: 'also unknown to this process' });
		expect(await notify({ requestId: 'a', shareStatus: 'open' })).toBe(WAITING);
		const before = urls().length;
		time.advance(10_000);
		await time.sleep(1_000);
		expect(urls()).toHaveLength(before);
	});
});

describe('while a call is at work, another notification', () => {
	/** A read of `b` that says `open`, once it may respond. */
	async function atWork(kept?: object) {
		const begun = await waiting(['a', 'b', 'c']);
		Object.assign(begun.kept as object, kept);
		const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
		const { promise: mayRespond, resolve: respond } = Promise.withResolvers<void>();
		begun.statuses.b = (...call) => {
			asked();
			void mayRespond.then(() => OPEN(...call));
		};
		const first = begun.notify({ requestId: 'a' });
		await isAsked;
		return { ...begun, first, respond };
	}

	test('is left to that call, which looks again', async () => {
		const { statuses, notify, first, respond } = await atWork();
		expect(await notify({ requestId: 'c' })).toBe(WAITING);
		statuses.b = 'completed';
		respond();
		expect(await first).toBe(ACCEPTED);
	});

	test('is not said to be handled where the wait began elsewhere', async () => {
		const { notify, first, respond } = await atWork({ executionId: 'unknown here as well' });
		expect(await notify({ requestId: 'c' })).toBe(NOT_CHECKED);
		respond();
		expect(await first).toBe(WAITING);
	});
});

test('in another process, what is read after the response does not end the wait', async () => {
	const { kept, statuses, notify, started } = await waiting(['a', 'b']);
	Object.assign(kept as object, { executionId: 'a third, unknown to this process' });
	let reads = 0;
	statuses.b = (...call) => {
		reads += 1;
		if (reads === 1) time.advance(4_000);
		const later = json(200, { _id: 'b', shareStatus: 'completed' });
		(reads === 1 ? json(500, {}) : later)(...call);
	};
	expect(await notify({ requestId: 'a' })).toBe(NOT_CHECKED);
	for (let count = 0; count < 10; count += 1) await time.sleep(100);
	expect([reads, started]).toEqual([1, []]);
});

test('a notification that ended one wait does not end a later one', async () => {
	const first = await waiting(['a']);
	const body = payload({ requestId: 'a' });
	const sent = signed({ body, timestamp: String(time.now()) });
	expect(await first.post(sent)).toBe(ACCEPTED);

	const { execution } = first;
	time.advance(1_000);
	const second = await waiting(['a'], { execution });
	expect(await second.post(sent)).toBe(DUPLICATE);
	expect(second.started).toEqual([]);
	expect(await second.notify({ requestId: 'a', again: true })).toBe(ACCEPTED);
});

test('what ended a wait does not end a later one, in another process, too', async () => {
	const parameters = LIMIT;
	const elsewhere = { executionId: 'a loop, unknown to this process' };
	const first = await waiting(['a', 'b'], { parameters });
	Object.assign(first.kept as object, elsewhere);
	expect(await first.notify({ requestId: 'a' })).toBe(WAITING);
	expect(await first.notify({ requestId: 'b' })).toBe(ACCEPTED);

	time.advance(1_000);
	const second = await waiting(['a', 'b'], { parameters, execution: first.execution });
	Object.assign(second.kept as object, elsewhere);
	expect(await second.notify({ requestId: 'b' })).toBe(WAITING);
	expect(second.started).toEqual([]);
	expect(await second.notify({ requestId: 'a' })).toBe(ACCEPTED);
});

test('a call that is still under way when a later wait has begun does not end the first one again', async () => {
	const first = await waiting(['a']);
	time.advance(1_000);
	const second = await waiting(['a'], { execution: structuredClone(first.execution) });
	expect(await first.notify({ requestId: 'a' })).toBe(WAITING);
	expect(first.started).toEqual([]);
	expect(await second.notify({ requestId: 'a' })).toBe(ACCEPTED);
});

test('a notification that reaches an earlier wait makes it read nothing', async () => {
	const first = await waiting(['a', 'b']);
	time.advance(1_000);
	await waiting(['a', 'b'], { execution: structuredClone(first.execution) });
	expect(await first.notify({ requestId: 'a' })).toBe(WAITING);
	expect(first.urls()).toEqual([]);
});

test('a slow read of an earlier wait neither delays a later one nor tells it anything', async () => {
	const first = await waiting(['a', 'b']);
	let respond = () => {};
	const isAsked = new Promise<void>((resolve) => {
		first.statuses.b = (...call) => {
			respond = () => json(200, { _id: 'b', shareStatus: 'completed' })(...call);
			resolve();
		};
	});
	const late = first.notify({ requestId: 'a', about: 'the first wait' });
	await isAsked;
	time.advance(1_000);
	const second = await waiting(['a', 'b'], { execution: structuredClone(first.execution) });
	expect(await second.notify({ requestId: 'a' })).toBe(WAITING);
	respond();
	expect(await late).toBe(WAITING);
	expect(first.started).toEqual([]);
	expect(await second.notify({ requestId: 'a', again: true })).toBe(WAITING);
	expect(await second.notify({ requestId: 'b' })).toBe(ACCEPTED);
});

test('a Wait whose name has quotes and braces finds what it has stored', async () => {
	const settings = { name: `"Wait" for 'it' {{ $json }} \\ \`` };
	const { notify } = await waiting(['a'], { settings });
	expect(await notify({ requestId: 'a' })).toBe(ACCEPTED);
});

describe('near the time limit', () => {
	const parameters = LIMIT;
	const MINUTES = 15 * 60_000;

	test('a notification ends it until two seconds before', async () => {
		const { notify } = await waiting(['a'], { parameters });
		time.advance(MINUTES - 3_000);
		expect(await notify({ requestId: 'a' })).toBe(ACCEPTED);
	});

	test('in the last two seconds only n8n ends it, or both branches would run', async () => {
		const { notify, started } = await waiting(['a'], { parameters });
		time.advance(MINUTES - 1_500);
		expect(await notify({ requestId: 'a' })).toBe(WAITING);
		expect(started).toEqual([]);
	});

	test('a notification whose reads take until then does not end it', async () => {
		const { statuses, notify, started } = await waiting(['a'], { parameters });
		statuses.a = (...call) => {
			time.advance(2_900);
			OPEN(...call);
		};
		time.advance(MINUTES - 4_000);
		expect(await notify({ requestId: 'a' })).toBe(WAITING);
		expect(started).toEqual([]);
	});
});

describe('Number to Wait For', () => {
	const two = { options: { numberToWaitFor: 2 } };

	test('goes on when so many are there, and only these come out', async () => {
		const { notify, started } = await waiting(ids(5), { parameters: two });
		expect(await notify({ requestId: 'r3' })).toBe(WAITING);
		expect(await notify({ requestId: 'r1' })).toBe(ACCEPTED);
		expect(started).toMatchObject([
			{ requestId: 'r1', isReached: true },
			{ requestId: 'r3', isReached: true },
		]);
	});

	test('one that cannot be read does not hold up the others', async () => {
		const answer = service({ a: 'completed', b: json(500, {}), c: 'completed' });
		const run = await wait(answer, itemsOf('a', 'b', 'c'), two);
		expect(run).toMatchObject({ error: undefined, until: undefined });
		expect(run.json.map(({ requestId }) => requestId)).toEqual(['a', 'c']);
	});

	test('while one that cannot be read might be enough, it is not checked', async () => {
		const { statuses, notify } = await waiting(['a', 'b', 'c'], { parameters: two });
		statuses.c = json(500, {});
		expect(await notify({ requestId: 'a' })).toBe(NOT_CHECKED);
	});

	test.each([
		[3, 'Number to Wait For is 3, but the number of collection requests is 2'],
		[0, 'Number to Wait For is not a whole number of 1 or more: 0'],
		[1.5, 'Number to Wait For is not a whole number of 1 or more: 1.5'],
	])('%s is refused for two', async (numberToWaitFor, message) => {
		const options = { numberToWaitFor };
		const { error } = await wait(service({}), itemsOf('a', 'b', 'a'), { options });
		expect(error?.message).toBe(message);
	});
});
