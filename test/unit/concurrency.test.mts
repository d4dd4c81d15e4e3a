import fc from 'fast-check';
import { mapConcurrently } from '../../nodes/DataCollection/concurrency.ts';

const settle = async () => await new Promise((resolve) => setImmediate(resolve));
const noYield = async () => {};

/** Work that ends when the test says so. */
function workshop() {
	const started: number[] = [];
	const ends: Array<() => void> = [];
	const work = async (index: number) => {
		started.push(index);
		await new Promise<void>((resolve) => (ends[index] = resolve));
		return `result ${index}`;
	};
	const finish = async (index: number) => {
		ends[index]?.();
		await settle();
	};
	return { started, work, finish };
}

test('as soon as one ends the next starts, and the results keep the order', async () => {
	const { started, work, finish } = workshop();
	const done = mapConcurrently(4, 2, work, noYield);
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
	const { started, work, finish } = workshop();
	const yields: Array<() => void> = [];
	const yieldToEventLoop = async () => await new Promise<void>((resolve) => yields.push(resolve));
	const goOn = async () => {
		yields.shift()?.();
		await settle();
	};
	const done = mapConcurrently(4, 3, work, yieldToEventLoop);
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

test('never more than the limit are under way, all run once, in order of the input', async () => {
	const pauses = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 30 });
	await fc.assert(
		fc.asyncProperty(pauses, fc.integer({ min: 1, max: 50 }), async (turns, limit) => {
			let underWay = 0;
			const started: number[] = [];
			const work = async (index: number) => {
				started.push(index);
				expect((underWay += 1)).toBeLessThanOrEqual(limit);
				for (let turn = 0; turn < (turns[index] ?? 0); turn += 1) await Promise.resolve();
				underWay -= 1;
				return index;
			};
			const results = await mapConcurrently(turns.length, limit, work, noYield);
			expect(started).toEqual([...turns.keys()]);
			expect(results).toEqual(started);
		}),
	);
});
