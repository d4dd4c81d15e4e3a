import { getEventListeners } from 'node:events';
import { sleepUntil } from '../../nodes/DataCollection/clock.ts';
import { useVirtualTime } from '../engine/support/virtualTime.mts';

const time = useVirtualTime();

test('a sleep lasts until the time, and is none when it has come', async () => {
	const end = time.now() + 5000;
	await sleepUntil(time, end);
	await sleepUntil(time, end);
	expect([time.now(), time.slept]).toEqual([end, [5000]]);
});

test('a sleep goes on when the clock ends it too early', async () => {
	const end = time.now() + 1000;
	const sleep = async (milliseconds: number) =>
		await Promise.resolve(time.advance(Math.ceil(milliseconds / 2)));
	await sleepUntil({ ...time, sleep }, end);
	expect(time.now()).toBe(end);
});

test('a sleep ends with the signal, too, and leaves no listener behind', async () => {
	const controller = new AbortController();
	const { signal } = controller;
	await sleepUntil(time, time.now() + 10, signal);
	expect(getEventListeners(signal, 'abort')).toEqual([]);
	const sleep = async () => {
		controller.abort();
		await new Promise(() => {});
	};
	const clock = { ...time, sleep };
	await sleepUntil(clock, time.now() + 1000, signal);
	expect(getEventListeners(signal, 'abort')).toEqual([]);
});
