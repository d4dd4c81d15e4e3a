import { clock } from '../../nodes/DataCollection/basics/clock.ts';
import { claimDelivery } from '../../nodes/DataCollection/shared/duplicates.ts';

const DAY = 24 * 3_600_000;
/** How many accepted deliveries are remembered. */
const CAPACITY = 10_000;

let now = 0;
clock.now = () => now;

// One memory is shared by all tests: in each, nothing of the one before is left.
beforeEach(() => {
	now += 10 * DAY;
});

/** Claims a delivery that n8n then accepts; false when it was seen before. Remembered for a minute. */
const accept = async (key: string, maximumAge = 30) =>
	await claimDelivery(key, maximumAge, () => Promise.resolve(true));

/** Claims a delivery whose outcome is open until it is settled. */
function claim(key: string) {
	const { promise, resolve } = Promise.withResolvers<boolean>();
	const state = { is: 'waiting', settle: resolve };
	void claimDelivery(key, 30, () => promise).then(
		(isFirst) => (state.is = isFirst ? 'first' : 'duplicate'),
	);
	return state;
}

/** Lets every pending promise run as far as it can. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Accepts as many as are remembered. */
async function fill(name: string) {
	for (let index = 0; index < CAPACITY; index += 1) await accept(`${name} ${index}`);
}

test('of 50 concurrent claims one gets the delivery; a released one goes to one of those who wait', async () => {
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

test.each([
	['twice the maximum age', 30, 60_000],
	['a day without one', 0, DAY],
])('a delivery is remembered for %s and no longer', async (_title, maximumAge, lifetime) => {
	await accept('key', maximumAge);
	now += lifetime - 1;
	expect(await accept('key', maximumAge)).toBe(false);
	now += 1;
	expect(await accept('key', maximumAge)).toBe(true);
});

test.each([
	[true, 'duplicate'],
	[false, 'first'],
])(
	'what is under way is not claimed twice, although it has expired and there is no room; accepted: %s',
	async (accepted, is) => {
		const first = claim('key');
		now += 60_000;
		await fill('another');
		const second = claim('key');
		await settled();
		expect(second.is).toBe('waiting');
		first.settle(accepted);
		await settled();
		expect(second.is).toBe(is);
	},
);

test('what is under way takes no room from what was kept, until it is settled', async () => {
	await fill('kept');
	const pending = ['a', 'b', 'c', 'd'].map((key) => claim(key));
	expect(await accept('kept 0')).toBe(false);
	for (const { settle } of pending) settle(true);
	await settled();
	expect(await accept('kept 4')).toBe(false);
	expect(await accept('kept 3')).toBe(true);
});

test('10,001 deliveries take the room of 10,000, and the oldest is dropped', async () => {
	await fill('key');
	await accept('one more');
	expect(await accept('key 1')).toBe(false);
	expect(await accept('key 0')).toBe(true);
});
