import fc from 'fast-check';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createSeenDeliveries } from '../../nodes/DataCollection/trigger/deduplication.ts';
import type { Settle } from '../../nodes/DataCollection/trigger/deduplication.ts';

const LATER = 1_000;
const MEBIBYTE = 1024 * 1024;

/** A memory whose clock the test sets. */
function memoryAt(time: number, capacity?: number) {
	const clock = { time };
	return { clock, memory: createSeenDeliveries(capacity, () => clock.time) };
}

/** Lets every promise go as far as it can. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** What a claim has come to so far. */
function watch(claim: Promise<Settle | undefined>) {
	const state: { is: 'waiting' | 'first' | 'duplicate'; settle?: Settle } = { is: 'waiting' };
	void claim.then((settle) => {
		state.is = settle ? 'first' : 'duplicate';
		state.settle = settle;
	});
	return state;
}

test.each([2, 20, 50])(
	'of %i concurrent claims the first one alone gets the delivery',
	async (count) => {
		const { memory } = memoryAt(0);
		const claims = Array.from({ length: count }, () => watch(memory.claim('key', LATER)));
		await settled();
		expect(claims.map(({ is }) => is)).toEqual([
			'first',
			...Array<string>(count - 1).fill('waiting'),
		]);

		claims[0]?.settle?.(true);
		await settled();
		expect(claims.slice(1).every(({ is }) => is === 'duplicate')).toBe(true);
	},
);

test('a released delivery goes to exactly one of those who wait', async () => {
	const { memory } = memoryAt(0);
	const claims = Array.from({ length: 10 }, () => watch(memory.claim('key', LATER)));
	await settled();
	claims[0]?.settle?.(false);
	await settled();

	const waiting = claims.slice(1);
	expect(waiting.filter(({ is }) => is === 'first')).toHaveLength(1);
	expect(waiting.filter(({ is }) => is === 'waiting')).toHaveLength(8);

	waiting.find(({ is }) => is === 'first')?.settle?.(true);
	await settled();
	expect(waiting.filter(({ is }) => is === 'duplicate')).toHaveLength(8);
});

test('a kept delivery is a duplicate from then on', async () => {
	const { memory } = memoryAt(0);
	(await memory.claim('key', LATER))?.(true);
	await expect(memory.claim('key', LATER)).resolves.toBeUndefined();
	await expect(memory.claim('another', LATER)).resolves.toBeInstanceOf(Function);
});

test('a released delivery is forgotten', async () => {
	const { memory } = memoryAt(0);
	(await memory.claim('key', LATER))?.(false);
	expect(memory.size).toBe(0);
	await expect(memory.claim('key', LATER)).resolves.toBeInstanceOf(Function);
});

test('a delivery is remembered until it expires and no longer', async () => {
	const { clock, memory } = memoryAt(0);
	(await memory.claim('key', 100))?.(true);
	clock.time = 99;
	await expect(memory.claim('key', 200)).resolves.toBeUndefined();
	clock.time = 100;
	await expect(memory.claim('key', 200)).resolves.toBeInstanceOf(Function);
});

describe('what is still under way cannot be claimed twice', () => {
	test.each([
		['accepted after all', true, 'duplicate'],
		['not accepted', false, 'first'],
	])('although it has expired; %s', async (_title, kept, outcome) => {
		const { clock, memory } = memoryAt(0);
		const first = await memory.claim('key', 100);
		clock.time = 100;
		const second = watch(memory.claim('key', 300));
		await settled();
		expect(second.is).toBe('waiting');
		first?.(kept);
		await settled();
		expect(second.is).toBe(outcome);
	});

	test('although there is no room left for it', async () => {
		const { memory } = memoryAt(0, 3);
		const first = await memory.claim('key', LATER);
		for (let index = 0; index < 10; index += 1) (await memory.claim(`${index}`, LATER))?.(true);
		const second = watch(memory.claim('key', LATER));
		await settled();
		expect(second.is).toBe('waiting');
		first?.(true);
		await settled();
		expect(second.is).toBe('duplicate');
		expect(memory.size).toBe(3);
	});

	test('and it takes no room from what was kept', async () => {
		const { memory } = memoryAt(0, 3);
		(await memory.claim('kept', LATER))?.(true);
		for (const key of ['a', 'b', 'c', 'd']) await memory.claim(key, LATER);
		await expect(memory.claim('kept', LATER)).resolves.toBeUndefined();
	});

	test('and it goes when its turn comes, once it is settled', async () => {
		const { memory } = memoryAt(0, 2);
		const pending = await Promise.all(['a', 'b', 'c'].map((key) => memory.claim(key, LATER)));
		expect(memory.size).toBe(3);
		for (const settle of pending) settle?.(true);
		(await memory.claim('d', LATER))?.(true);
		expect(memory.size).toBe(2);
		await expect(memory.claim('c', LATER)).resolves.toBeUndefined();
	});
});

test('10,001 deliveries take the room of 10,000, and the oldest is dropped', async () => {
	const { memory } = memoryAt(0);
	for (let index = 0; index <= 10_000; index += 1) {
		(await memory.claim(`key ${index}`, LATER))?.(true);
	}
	expect(memory.size).toBe(10_000);
	await expect(memory.claim('key 1', LATER)).resolves.toBeUndefined();
	await expect(memory.claim('key 0', LATER)).resolves.toBeInstanceOf(Function);
});

test('100,000 deliveries take no more memory than 10,000', async () => {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	const heap = () => {
		collectGarbage();
		return process.memoryUsage().heapUsed;
	};
	const { memory } = memoryAt(0);
	const keyOf = (index: number) => `workflow/node/webhook/${String(index).padStart(64, '0')}`;
	const claimUpTo = async (first: number, count: number) => {
		for (let index = first; index < first + count; index += 1) {
			(await memory.claim(keyOf(index), LATER))?.(true);
		}
	};
	const before = heap();
	await claimUpTo(0, 10_000);
	const full = heap();
	await claimUpTo(10_000, 90_000);
	const after = heap();
	expect(memory.size).toBe(10_000);
	expect(full - before).toBeLessThan(10 * MEBIBYTE);
	expect(after - full).toBeLessThan(MEBIBYTE);
});

test('what has expired makes room first', async () => {
	const { clock, memory } = memoryAt(0, 3);
	(await memory.claim('a', 10))?.(true);
	(await memory.claim('b', 10))?.(true);
	(await memory.claim('c', LATER))?.(true);
	clock.time = 10;
	(await memory.claim('d', LATER))?.(true);
	expect(memory.size).toBe(2);
	await expect(memory.claim('c', LATER)).resolves.toBeUndefined();
});

test('as many deliveries are accepted as there are distinct keys, in any order', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.string({ maxLength: 2 }), { maxLength: 50 }), async (keys) => {
			const { memory } = memoryAt(0);
			const accept = async (key: string) => {
				const settle = await memory.claim(key, LATER);
				settle?.(true);
				return settle !== undefined;
			};
			const accepted = await Promise.all(keys.map(accept));
			expect(accepted.filter(Boolean)).toHaveLength(new Set(keys).size);
		}),
	);
});
