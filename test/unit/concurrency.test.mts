import fc from 'fast-check';
import { clock } from '../../nodes/DataCollection/basics/clock.ts';
import { mapConcurrently } from '../../nodes/DataCollection/basics/concurrency.ts';

const indexes = (count: number) => [...Array(count).keys()];

test('yields before each start, unless nothing else is under way', async () => {
	const yieldsOf = async (concurrency: number) => {
		let yields = 0;
		clock.sleep = async () => await Promise.resolve(void (yields += 1));
		await mapConcurrently(indexes(4), concurrency, async () => await new Promise(setImmediate));
		return yields;
	};
	expect([await yieldsOf(1), await yieldsOf(4)]).toEqual([0, 3]);
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
