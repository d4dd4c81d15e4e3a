import { getEventListeners, once } from 'node:events';
import { paceOf } from '../../nodes/DataCollection/context/pace';
import { pauseUntil, timing } from '../../nodes/DataCollection/context/timing';
import { useVirtualTime } from '../support/virtualTime.cts';

describe('the pace', () => {
	test('is shared by all items of one execution and by no other', () => {
		const execution = {};
		paceOf(execution).resumeAt = 5;
		expect(paceOf(execution).resumeAt).toBe(5);
		expect(paceOf({}).resumeAt).toBe(0);
	});
});

describe('a pause', () => {
	const time = useVirtualTime();

	test('lasts until the time', async () => {
		const end = time.now() + 5000;
		await pauseUntil(end, undefined);
		expect(time.now()).toBe(end);
		expect(time.slept).toEqual([5000]);
	});

	test('is none when the time has come', async () => {
		await pauseUntil(time.now(), undefined);
		expect(time.slept).toEqual([]);
	});

	test('goes on when the sleep ends too early', async () => {
		const end = time.now() + 1000;
		timing.sleep = async (milliseconds) =>
			await Promise.resolve(time.advance(Math.ceil(milliseconds / 2)));
		await pauseUntil(end, undefined);
		expect(time.now()).toBe(end);
	});

	test('ends with the signal, and leaves no listener behind', async () => {
		const controller = new AbortController();
		const { signal } = controller;
		time.onSleep = () => controller.abort();
		timing.sleep = async () => {
			controller.abort();
			await new Promise(() => {});
		};
		await pauseUntil(time.now() + 1000, signal);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
		await pauseUntil(time.now() + 1000, signal);
	});

	test('leaves no listener behind when it ends by itself', async () => {
		const { signal } = new AbortController();
		for (let count = 0; count < 20; count += 1) await pauseUntil(time.now() + 10, signal);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});
});

test('a timeout comes after its time, by the real clock', async () => {
	const start = Date.now();
	await once(timing.timeout(30), 'abort');
	expect(Date.now() - start).toBeGreaterThanOrEqual(25);
	await once(timing.timeout(-1), 'abort');
	expect(timing.now()).toBeGreaterThanOrEqual(start);
});
