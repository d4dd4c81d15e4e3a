import fc from 'fast-check';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createSeenDeliveries } from '../../nodes/DataCollection/webhook/deduplication.ts';

const LATER = 1_000;
const MEBIBYTE = 1024 * 1024;

/** A memory whose clock the test sets. */
function newMemory(capacity?: number) {
	const clock = { time: 0, now: () => clock.time };
	const memory = createSeenDeliveries(capacity);
	/** Claims a delivery that n8n then accepts; false when it was seen before. */
	const accept = async (key: string, lifetime = LATER) =>
		await memory.claim(clock, key, lifetime, () => Promise.resolve(true));
	/** Claims a delivery whose outcome is open; resolves to the function that settles it. */
	const claim = async (key: string, lifetime = LATER) => {
		const { promise, resolve } = Promise.withResolvers<boolean>();
		expect(await memory.claim(clock, key, lifetime, () => promise)).toBe(true);
		return resolve;
	};
	/** Claims one delivery `count` times at the same moment; returns the state of each claim. */
	const claimAtOnce = async (count: number) => {
		const claims = Array.from({ length: count }, () => {
			const { promise, resolve } = Promise.withResolvers<boolean>();
			const state = { is: 'waiting', settle: resolve };
			void memory
				.claim(clock, 'key', LATER, () => promise)
				.then((isFirst) => {
					state.is = isFirst ? 'first' : 'duplicate';
				});
			return state;
		});
		await settled();
		return claims;
	};
	return { clock, memory, accept, claim, claimAtOnce };
}

/** Lets every pending promise run as far as it can. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('of 50 concurrent claims one gets the delivery; a released one goes to one of those who wait', async () => {
	const { memory, accept, claim, claimAtOnce } = newMemory();
	const claims = await claimAtOnce(50);
	const those = (wanted: string) => claims.filter(({ is }) => is === wanted);
	const counts = () => {
		const [first, waiting, duplicate] = [those('first'), those('waiting'), those('duplicate')];
		return { first: first.length, waiting: waiting.length, duplicate: duplicate.length };
	};
	expect(counts()).toEqual({ first: 1, waiting: 49, duplicate: 0 });
	claims[0]?.settle(false);
	await settled();
	expect(counts()).toEqual({ first: 2, waiting: 48, duplicate: 0 });
	those('first')[1]?.settle(true);
	await settled();
	expect(counts()).toEqual({ first: 2, waiting: 0, duplicate: 48 });

	(await claim('released'))(false);
	await settled();
	expect(memory.size).toBe(1);
	expect(await accept('released')).toBe(true);
});

test('a delivery is remembered until it expires and no longer', async () => {
	const { clock, accept } = newMemory();
	await accept('key', 100);
	clock.time = 99;
	expect(await accept('key', 200)).toBe(false);
	clock.time = 100;
	expect(await accept('key', 200)).toBe(true);
});

describe('what is still under way cannot be claimed twice', () => {
	test.each([
		['accepted after all', true, 'duplicate', 3],
		['not accepted', false, 'first', 4],
	])('although it has expired and there is no room for it; %s', async (_title, kept, is, size) => {
		const { clock, memory, accept, claim, claimAtOnce } = newMemory(3);
		const settle = await claim('key', 100);
		clock.time = 100;
		for (let index = 0; index < 10; index += 1) await accept(`${index}`);
		const [second] = await claimAtOnce(1);
		expect(second?.is).toBe('waiting');
		settle(kept);
		await settled();
		expect([second?.is, memory.size]).toEqual([is, size]);
	});

	test('it takes no room from what was kept', async () => {
		const { accept, claim } = newMemory(3);
		await accept('kept');
		for (const key of ['a', 'b', 'c', 'd']) await claim(key);
		expect(await accept('kept')).toBe(false);
	});

	test('it is dropped when its turn comes, once it is settled', async () => {
		const { memory, accept, claim } = newMemory(2);
		const pending = await Promise.all(['a', 'b', 'c'].map((key) => claim(key)));
		expect(memory.size).toBe(3);
		for (const settle of pending) settle(true);
		await accept('d');
		expect(memory.size).toBe(2);
		expect(await accept('c')).toBe(false);
	});
});

test('10,001 deliveries take the room of 10,000, and the oldest is dropped', async () => {
	const { memory, accept } = newMemory();
	for (let index = 0; index <= 10_000; index += 1) await accept(`key ${index}`);
	expect(memory.size).toBe(10_000);
	expect(await accept('key 1')).toBe(false);
	expect(await accept('key 0')).toBe(true);
});

test('100,000 deliveries take no more memory than 10,000', async () => {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	const { memory, accept } = newMemory();
	/** Heap bytes in use after these deliveries. */
	const heapAfter = async (first: number, end: number) => {
		for (let index = first; index < end; index += 1) {
			await accept(`workflow/node/webhook/${String(index).padStart(64, '0')}`);
		}
		collectGarbage();
		return process.memoryUsage().heapUsed;
	};
	const before = await heapAfter(0, 0);
	const full = await heapAfter(0, 10_000);
	const after = await heapAfter(10_000, 100_000);
	expect(memory.size).toBe(10_000);
	expect(full - before).toBeLessThan(10 * MEBIBYTE);
	expect(after - full).toBeLessThan(MEBIBYTE);
});

test('as many deliveries are accepted as there are distinct keys, in any order', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.string({ maxLength: 2 }), { maxLength: 50 }), async (keys) => {
			const { accept } = newMemory();
			const accepted = await Promise.all(keys.map((key) => accept(key)));
			expect(accepted.filter(Boolean)).toHaveLength(new Set(keys).size);
		}),
	);
});
