import { getEventListeners } from 'node:events';
import { clock, sleepUntil } from '../../nodes/DataCollection/basics/clock.ts';
import { useVirtualTime } from '../engine/support/virtualTime.mts';

const time = useVirtualTime();

test('a sleep lasts until the time, and is none when it has come', async () => {
	const end = time.now() + 5000;
	await sleepUntil(end);
	await sleepUntil(end);
	expect([time.now(), time.slept]).toEqual([end, [5000]]);
});

test('a sleep goes on when the clock ends it too early', async () => {
	const end = time.now() + 1000;
	clock.sleep = async (milliseconds) =>
		await Promise.resolve(time.advance(Math.ceil(milliseconds / 2)));
	await sleepUntil(end);
	expect(time.now()).toBe(end);
});

test('a sleep ends with the signal, too, and leaves no listener behind', async () => {
	const controller = new AbortController();
	const { signal } = controller;
	await sleepUntil(time.now() + 10, signal);
	expect(getEventListeners(signal, 'abort')).toEqual([]);
	clock.sleep = async () => {
		controller.abort();
		await new Promise(() => {});
	};
	await sleepUntil(time.now() + 1000, signal);
	expect(getEventListeners(signal, 'abort')).toEqual([]);
});
