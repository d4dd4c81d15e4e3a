import fc from 'fast-check';
import { clock } from '../../nodes/DataCollection/basics/clock.ts';
import { mapConcurrently } from '../../nodes/DataCollection/basics/concurrency.ts';

const settle = async () => await new Promise((resolve) => setImmediate(resolve));
const indexes = (count: number) => [...Array(count).keys()];

test('each start but the first yields, and the next item starts as soon as one ends', async () => {
	const started: number[] = [];
	const ends: Array<() => void> = [];
	const yields: Array<() => void> = [];
	const work = async (index: number) => {
		started.push(index);
		await new Promise<void>((resolve) => (ends[index] = resolve));
		return index;
	};
	clock.sleep = async () => await new Promise<void>((resolve) => yields.push(resolve));
	const goOn = async (resolve?: () => void) => {
		resolve?.();
		await settle();
		return { started: started.length, yielding: yields.length };
	};
	const done = mapConcurrently(indexes(4), 3, work);
	expect(await goOn()).toEqual({ started: 1, yielding: 1 });
	expect(await goOn(yields.shift())).toEqual({ started: 2, yielding: 1 });
	expect(await goOn(yields.shift())).toEqual({ started: 3, yielding: 0 });
	// Yields again, as others are still running; alone it would not.
	expect(await goOn(ends[1])).toEqual({ started: 3, yielding: 1 });
	expect(await goOn(yields.shift())).toEqual({ started: 4, yielding: 0 });
	for (const end of ends) end();
	expect(await done).toEqual([0, 1, 2, 3]);
});

test('never more than the limit are under way, all run once, in order of the input', async () => {
	clock.sleep = async () => {};
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
			const results = await mapConcurrently(indexes(turns.length), limit, work);
			expect(started).toEqual([...turns.keys()]);
			expect(results).toEqual(started);
		}),
	);
});
