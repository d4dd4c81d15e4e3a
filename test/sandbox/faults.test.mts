import { until } from '../support/until.mts';
import { asForm, asJson, expectPage, textLike, useService } from './client.mts';
import type { Json } from './client.mts';

const service = useService();
let requestId: string;
beforeEach(async () => {
	await service.clear();
	requestId = await service.newRequest();
});

const put = (settings: Json) =>
	service.ask('/sandbox/faults', { ...asJson(settings), method: 'PUT' });
const clear = () => service.ask('/sandbox/faults', { method: 'DELETE' });
const state = async () => (await service.ask('/sandbox/faults')).json;
const none = { fault: null, apiDelayMs: 0, requestsPerSecond: null };

const read = () => service.read(`collection-request/${requestId}`);
const create = () => service.create({ templateId: 'x' });
const count = async () => (await service.list('/sandbox/requests')).length;

describe('which answers get the fault', () => {
	test.each<[fault: Json, ...statuses: number[]]>([
		[{ kind: 'status' }, 503, 200],
		[{ kind: 'busy', left: 2 }, 429, 429, 200],
		[{ kind: 'status', status: 500, left: null }, 500, 500, 500],
	])('%j: so many, one unless told otherwise, or all until cleared', async (fault, ...all) => {
		const { json } = await put({ fault });
		expect(json).toMatchObject({ ...none, fault: { left: 1, appliesTo: 'all', ...fault } });
		for (const status of all) expect((await read()).status).toBe(status);
		await clear();
		expect((await read()).status).toBe(200);
		expect(await state()).toEqual(none);
	});

	test.each([
		['reads', 503, 201],
		['creates', 200, 503],
	])('only %s', async (appliesTo, ofRead, ofCreate) => {
		await put({ fault: { kind: 'status', appliesTo, left: null } });
		expect([(await read()).status, (await create()).status]).toEqual([ofRead, ofCreate]);
	});

	test('not those with a wrong key, nor those that are not for the API', async () => {
		await put({ fault: { kind: 'status' } });
		expect((await service.ask(`/di/collection-request/${requestId}`)).status).toBe(401);
		expect((await service.ask('/healthz')).status).toBe(200);
		expect(await state()).toMatchObject({ fault: { left: 1 } });
	});

	test.each([
		[{ fault: { kind: 'earthquake' } }],
		[{ fault: { kind: 'busy', left: 0 } }],
		[{ fault: { kind: 'status', status: 200 } }],
		[{ somethingElse: 1 }],
	])('%j is refused and changes nothing', async (settings) => {
		await put({ fault: { kind: 'busy' } });
		expect((await put(settings)).status).toBe(400);
		expect(await state()).toMatchObject({ fault: { kind: 'busy' } });
	});
});

describe('the kinds', () => {
	const location = 'https://x.example.com/';

	test.each<[fault: Json, status: number, headers: Json, text: RegExp]>([
		[{ kind: 'busy', retryAfter: 7 }, 429, { 'retry-after': '7' }, /^{/],
		[{ kind: 'status', status: 502 }, 502, {}, /^{/],
		[{ kind: 'redirect', status: 307, location }, 307, { location }, /^/],
		[{ kind: 'html' }, 200, { 'content-type': 'text/html' }, /^<!doctype html>/],
	])('%j in place of the answer, and nothing is created', async (fault, status, headers, text) => {
		await put({ fault });
		const response = await create();
		expect([response.status, response.text]).toEqual([status, textLike(text)]);
		expect(Object.fromEntries(response.headers)).toMatchObject(headers);
		expect(response.headers.has('retry-after')).toBe('retry-after' in headers);
		expect(await count()).toBe(1);
	});

	test.each<[settings: Json, atLeast: number]>([
		[{ fault: { kind: 'slow', delayMs: 300 } }, 290],
		// The delay is per byte.
		[{ fault: { kind: 'drip', delayMs: 1 } }, 200],
		[{ apiDelayMs: 200 }, 190],
	])('%j: the same answer, later', async (settings, atLeast) => {
		await put(settings);
		const start = Date.now();
		const { json } = await read();
		expect(Date.now() - start).toBeGreaterThanOrEqual(atLeast);
		expect(json._id).toBe(requestId);
	});

	test.each([
		['cut', 'half of the answer, and the request is created', 2],
		['reset', 'no byte, and nothing is created', 1],
		['resetAfterwards', 'no byte, but the request is created', 2],
	])('%s: %s', async (kind, _what, existing) => {
		await put({ fault: { kind } });
		await expect(create()).rejects.toThrow();
		expect(await count()).toBe(existing);
		expect((await read()).status).toBe(200);
	});

	test('truncated: the right length of JSON that stops in the middle', async () => {
		const whole = (await read()).text;
		await put({ fault: { kind: 'truncated' } });
		const { status, text, headers } = await read();
		expect([status, text]).toEqual([200, whole.slice(0, Math.ceil(whole.length / 2))]);
		expect(headers.get('content-length')).toBe(String(text.length));
		expect(headers.get('content-type')).toMatch(/^application\/json/);
	});
});

test('requestsPerSecond: beyond it 429 with Retry-After: 1', async () => {
	await put({ requestsPerSecond: 2 });
	const answers = await Promise.all([read(), read(), read(), read()]);
	expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429]);
	const refused = answers.find(({ status }) => status === 429);
	expect(refused?.headers.get('retry-after')).toBe('1');
	await until('the second is over', async () => (await read()).status === 200);
});

describe('the console', () => {
	const page = async () => (await service.ask('/')).text;
	const fillIn = (fields: Record<string, string>) => service.ask('/console/faults', asForm(fields));

	test('sets a fault, shows what is active and how many are left, and clears it', async () => {
		expect(await page()).not.toContain('responses left');
		const fields = { kind: 'status', appliesTo: 'creates', count: '3', status: '504' };
		const limits = { apiDelayMs: '20', requestsPerSecond: '50' };
		const { status, location } = await fillIn({ ...fields, ...limits });
		expect([status, location]).toEqual([303, '/#active-faults']);
		expect(await state()).toMatchObject({
			fault: { kind: 'status', appliesTo: 'creates', left: 3, status: 504 },
			apiDelayMs: 20,
			requestsPerSecond: 50,
		});
		expect((await create()).status).toBe(504);
		const left = ['An error status', 'creates: 2 responses left', '20 ms', '50'];
		expectPage(await service.ask('/'), 200, ...left);
		await service.ask('/console/faults/clear', asForm({}));
		expect(await state()).toEqual(none);
		expect(await page()).not.toContain('responses left');
	});
});
