import { clock } from '../../nodes/DataCollection/basics/clock.ts';
import { createSeenDeliveries } from '../../nodes/DataCollection/service/seen.ts';

const LATER = 1_000;

/** A memory, at a time that the test sets. */
function newMemory(capacity?: number) {
	const at = { time: 0 };
	clock.now = () => at.time;
	const memory = createSeenDeliveries(capacity);
	/** Claims a delivery that n8n then accepts; false when it was seen before. */
	const accept = async (key: string, lifetime = LATER) =>
		await memory.claim(key, lifetime, () => Promise.resolve(true));
	/** Claims a delivery whose outcome is open until it is settled. */
	const claim = (key: string, lifetime = LATER) => {
		const { promise, resolve } = Promise.withResolvers<boolean>();
		const state = { is: 'waiting', settle: resolve };
		void memory
			.claim(key, lifetime, () => promise)
			.then((isFirst) => (state.is = isFirst ? 'first' : 'duplicate'));
		return state;
	};
	return { at, memory, accept, claim };
}

/** Lets every pending promise run as far as it can. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('of 50 concurrent claims one gets the delivery; a released one goes to one of those who wait', async () => {
	const { claim } = newMemory();
	const claims = Array.from({ length: 50 }, () => claim('key'));
	const those = (wanted: string) => claims.filter(({ is }) => is === wanted);
	const counts = async () => {
		await settled();
		return ['first', 'waiting', 'duplicate'].map((is) => those(is).length);
	};
	expect(await counts()).toEqual([1, 49, 0]);
	claims[0]?.settle(false);
	expect(await counts()).toEqual([2, 48, 0]);
	those('first')[1]?.settle(true);
	expect(await counts()).toEqual([2, 0, 48]);
});

test('a delivery is remembered until it expires and no longer', async () => {
	const { at, accept } = newMemory();
	await accept('key', 100);
	at.time = 99;
	expect(await accept('key', 200)).toBe(false);
	at.time = 100;
	expect(await accept('key', 200)).toBe(true);
});

test.each([
	[true, 'duplicate'],
	[false, 'first'],
])(
	'what is under way is not claimed twice, although it has expired and there is no room; accepted: %s',
	async (accepted, is) => {
		const { at, accept, claim } = newMemory(3);
		const first = claim('key', 100);
		at.time = 100;
		for (let index = 0; index < 10; index += 1) await accept(`${index}`);
		const second = claim('key');
		await settled();
		expect(second.is).toBe('waiting');
		first.settle(accepted);
		await settled();
		expect(second.is).toBe(is);
	},
);

test('what is under way takes no room from what was kept, until it is settled', async () => {
	const { memory, accept, claim } = newMemory(3);
	await accept('kept');
	const pending = ['a', 'b', 'c', 'd'].map((key) => claim(key));
	expect(await accept('kept')).toBe(false);
	for (const { settle } of pending) settle(true);
	await settled();
	expect(memory.size).toBe(3);
	expect(await accept('kept')).toBe(true);
});

test('10,001 deliveries take the room of 10,000, and the oldest is dropped', async () => {
	const { memory, accept } = newMemory();
	for (let index = 0; index <= 10_000; index += 1) await accept(`key ${index}`);
	expect(memory.size).toBe(10_000);
	expect(await accept('key 1')).toBe(false);
	expect(await accept('key 0')).toBe(true);
});
