import fc from 'fast-check';
import { mapConcurrently } from '../../nodes/DataCollection/concurrency.ts';

const mapWithConcurrency = async <T, R>(
	items: T[],
	limit: number,
	work: (item: T, index: number) => Promise<R>,
	yieldToEventLoop: () => Promise<void> = async () => {},
) =>
	await mapConcurrently(
		items.length,
		limit,
		async (index) => await work(items[index] as T, index),
		yieldToEventLoop,
	);

/** Work that ends when the test says so. */
function workshop() {
	const started: number[] = [];
	const ends = new Map<number, () => void>();
	const worker = async (_item: unknown, index: number) => {
		started.push(index);
		await new Promise<void>((resolve) => ends.set(index, resolve));
		return `result ${index}`;
	};
	const settle = async () => await new Promise((resolve) => setImmediate(resolve));
	return {
		started,
		worker,
		settle,
		finish: async (index: number) => {
			ends.get(index)?.();
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

test('while others are under way each start yields first, alone it does not', async () => {
	const { started, worker, settle, finish } = workshop();
	const yields: Array<() => void> = [];
	const yieldToEventLoop = async () => await new Promise<void>((resolve) => yields.push(resolve));
	const goOn = async () => {
		yields.shift()?.();
		await settle();
	};
	const done = mapWithConcurrency(['a', 'b', 'c', 'd'], 3, worker, yieldToEventLoop);
	await settle();
	expect([started, yields.length]).toEqual([[0], 1]);
	await goOn();
	expect([started, yields.length]).toEqual([[0, 1], 1]);
	await goOn();
	expect([started, yields.length]).toEqual([[0, 1, 2], 0]);
	for (const index of [0, 1, 2]) await finish(index);
	expect([started, yields.length]).toEqual([[0, 1, 2], 1]);
	await goOn();
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
