import { getEventListeners } from 'node:events';
import { sleepUntil, systemClock } from '../../nodes/DataCollection/clock.ts';
import { useVirtualTime } from '../engine/support/virtualTime.mts';

describe('a sleep', () => {
	const time = useVirtualTime();

	test('lasts until the time, and is none when it has come', async () => {
		const end = time.now() + 5000;
		await sleepUntil(time, end);
		await sleepUntil(time, end);
		expect([time.now(), time.slept]).toEqual([end, [5000]]);
	});

	test('goes on when the sleep ends too early', async () => {
		const end = time.now() + 1000;
		const sleep = async (milliseconds: number) =>
			await Promise.resolve(time.advance(Math.ceil(milliseconds / 2)));
		await sleepUntil({ ...time, sleep }, end);
		expect(time.now()).toBe(end);
	});

	test('ends by itself or with the signal, and leaves no listener behind', async () => {
		const controller = new AbortController();
		const { signal } = controller;
		for (let count = 0; count < 20; count += 1) await sleepUntil(time, time.now() + 10, signal);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
		const sleep = async () => {
			controller.abort();
			await new Promise(() => {});
		};
		const clock = { ...time, sleep };
		await sleepUntil(clock, time.now() + 1000, signal);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
		await sleepUntil(clock, time.now() + 1000, signal);
	});
});

test('a timeout comes after its time, by the real clock', async () => {
	const start = Date.now();
	await systemClock.timeout(30);
	expect(Date.now() - start).toBeGreaterThanOrEqual(25);
	expect(systemClock.now()).toBeGreaterThanOrEqual(start);
});
