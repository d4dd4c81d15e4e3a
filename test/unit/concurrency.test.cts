import fc from 'fast-check';
import { mapWithConcurrency } from '../../nodes/DataCollection/shared/concurrency';

/** Work that ends when the test says so. */
function workshop() {
	const started: number[] = [];
	const ends = new Map<number, { resolve: () => void; reject: (reason: unknown) => void }>();
	const worker = async (_item: unknown, index: number) => {
		started.push(index);
		await new Promise<void>((resolve, reject) => ends.set(index, { resolve, reject }));
		return `result ${index}`;
	};
	const settle = async () => await new Promise((resolve) => setImmediate(resolve));
	return {
		started,
		worker,
		settle,
		finish: async (index: number) => {
			ends.get(index)?.resolve();
			await settle();
		},
		fail: async (index: number, reason: unknown) => {
			ends.get(index)?.reject(reason);
			await settle();
		},
	};
}

test('as soon as one ends the next starts, and the results keep the order', async () => {
	const { started, worker, settle, finish } = workshop();
	const done = mapWithConcurrency(['a', 'b', 'c', 'd'], 2, worker);
	await settle();
	expect(started).toEqual([0, 1]);
	await finish(1);
	expect(started).toEqual([0, 1, 2]);
	await finish(2);
	expect(started).toEqual([0, 1, 2, 3]);
	await finish(3);
	await finish(0);
	expect(await done).toEqual(['result 0', 'result 1', 'result 2', 'result 3']);
});

test('a rejection stops new starts, waits for those under way, and is the one that is told', async () => {
	const { started, worker, settle, finish, fail } = workshop();
	let outcome = 'open';
	const done = mapWithConcurrency([1, 2, 3, 4, 5, 6], 3, worker).then(
		() => (outcome = 'resolved'),
		(reason: unknown) => (outcome = `rejected: ${String(reason)}`),
	);
	await settle();
	await fail(1, 'first');
	await finish(0);
	expect(started).toEqual([0, 1, 2]);
	expect(outcome).toBe('open');
	await fail(2, 'second');
	await done;
	expect(started).toEqual([0, 1, 2]);
	expect(outcome).toBe('rejected: first');
});

test('a worker that throws at once is a rejection like any other', async () => {
	const started: number[] = [];
	const worker = (item: number): Promise<never> => {
		started.push(item);
		throw new Error(`no ${item}`);
	};
	await expect(mapWithConcurrency([1, 2, 3], 1, worker)).rejects.toThrow('no 1');
	expect(started).toEqual([1]);
});

test('while others are under way each start waits for a breath of its own, alone it does not', async () => {
	const { started, worker, settle, finish } = workshop();
	const breaths: Array<() => void> = [];
	const breathe = async () => await new Promise<void>((resolve) => breaths.push(resolve));
	const breatheOut = async () => {
		breaths.shift()?.();
		await settle();
	};
	const done = mapWithConcurrency(['a', 'b', 'c', 'd'], 3, worker, breathe);
	await settle();
	expect([started, breaths.length]).toEqual([[0], 1]);
	await breatheOut();
	expect([started, breaths.length]).toEqual([[0, 1], 1]);
	await breatheOut();
	expect([started, breaths.length]).toEqual([[0, 1, 2], 0]);
	for (const index of [0, 1, 2]) await finish(index);
	expect([started, breaths.length]).toEqual([[0, 1, 2], 1]);
	await breatheOut();
	expect(started).toEqual([0, 1, 2, 3]);
	await finish(3);
	expect(await done).toHaveLength(4);
});

test('no items: nothing is started', async () => {
	expect(await mapWithConcurrency([], 5, async () => await Promise.reject(new Error()))).toEqual(
		[],
	);
});

test('never more than the limit are under way, all run once, in order of the input', async () => {
	const pauses = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 30 });
	await fc.assert(
		fc.asyncProperty(pauses, fc.integer({ min: 1, max: 50 }), async (items, limit) => {
			let underWay = 0;
			let most = 0;
			const started: number[] = [];
			const results = await mapWithConcurrency(items, limit, async (turns, index) => {
				started.push(index);
				most = Math.max(most, (underWay += 1));
				for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
				underWay -= 1;
				return index;
			});
			expect(most).toBeLessThanOrEqual(limit);
			expect(started).toEqual(items.map((_item, index) => index));
			expect(results).toEqual(started);
		}),
	);
});

test('a rejection anywhere: at most `limit` more than the rejected one have started', async () => {
	const counts = fc.integer({ min: 1, max: 30 });
	await fc.assert(
		fc.asyncProperty(counts, counts, counts, async (length, limit, position) => {
			const failing = position % length;
			const started: number[] = [];
			const worker = async (index: number) => {
				started.push(index);
				await Promise.resolve();
				if (index === failing) throw new Error(`item ${index}`);
			};
			const items = Array.from({ length }, (_, index) => index);
			await expect(mapWithConcurrency(items, limit, worker)).rejects.toThrow(`item ${failing}`);
			expect(started.length).toBeLessThanOrEqual(failing + 1 + limit);
			expect(new Set(started).size).toBe(started.length);
		}),
	);
});
