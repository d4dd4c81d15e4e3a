import { startService } from '../engine/support/service.mts';
import type { Service } from '../engine/support/service.mts';
import type { Answer, Json } from './client.mts';
import { callApi, createRequest, exchange, postForm } from './client.mts';

let service: Service;
let requestId: string;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => {
	await exchange(`${service.url}/sandbox`, { method: 'DELETE' });
	requestId = await createRequest(service.url);
});
afterAll(() => service.stop());

const put = async (settings: Json): Promise<Answer> =>
	await exchange(`${service.url}/sandbox/faults`, {
		method: 'PUT',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(settings),
	});
const state = async () => (await exchange(`${service.url}/sandbox/faults`)).json;
const read = () => callApi(`${service.url}/di/collection-request/${requestId}`);
const create = () => callApi(`${service.url}/di/collection-request/`, { templateId: 'x' });
const count = async () => {
	const { text } = await exchange(`${service.url}/sandbox/requests`);
	return (JSON.parse(text) as unknown[]).length;
};

describe('which answers get the fault', () => {
	test('one, unless told otherwise; then all is well again', async () => {
		expect((await put({ fault: { kind: 'status' } })).json).toMatchObject({
			fault: { kind: 'status', left: 1, appliesTo: 'all', status: 503, retryAfter: null },
			apiDelayMs: 0,
			requestsPerSecond: null,
		});
		expect((await read()).status).toBe(503);
		expect((await read()).status).toBe(200);
		expect(await state()).toMatchObject({ fault: null });
	});

	test('so many, and it tells how many are left', async () => {
		await put({ fault: { kind: 'busy', left: 2 } });
		await read();
		expect(await state()).toMatchObject({ fault: { left: 1 } });
		await read();
		expect((await read()).status).toBe(200);
	});

	test('all until it is cleared', async () => {
		await put({ fault: { kind: 'status', status: 500, left: null } });
		for (let time = 0; time < 3; time += 1) expect((await read()).status).toBe(500);
		await exchange(`${service.url}/sandbox/faults`, { method: 'DELETE' });
		expect((await read()).status).toBe(200);
	});

	test('clearing everything clears it too', async () => {
		await put({ fault: { kind: 'status', left: null }, apiDelayMs: 5, requestsPerSecond: 9 });
		await exchange(`${service.url}/sandbox`, { method: 'DELETE' });
		expect(await state()).toEqual({ fault: null, apiDelayMs: 0, requestsPerSecond: null });
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
		const wrong = await exchange(`${service.url}/di/collection-request/${requestId}`);
		expect(wrong.status).toBe(401);
		expect((await exchange(`${service.url}/healthz`)).status).toBe(200);
		expect(await state()).toMatchObject({ fault: { left: 1 } });
	});

	test.each([
		[{ fault: { kind: 'earthquake' } }],
		[{ fault: {} }],
		[{ fault: { kind: 'busy', left: 0 } }],
		[{ fault: { kind: 'status', status: 200 } }],
		[{ fault: { kind: 'slow', delayMs: -1 } }],
		[{ apiDelayMs: 'long' }],
		[{ somethingElse: 1 }],
	])('%j is refused and changes nothing', async (settings) => {
		await put({ fault: { kind: 'busy' } });
		expect((await put(settings)).status).toBe(400);
		expect(await state()).toMatchObject({ fault: { kind: 'busy' } });
	});
});

describe('the kinds', () => {
	test('busy: 429 with Retry-After; nothing is created', async () => {
		await put({ fault: { kind: 'busy', retryAfter: 7 } });
		const { status, headers } = await create();
		expect([status, headers.get('retry-after')]).toEqual([429, '7']);
		expect(await count()).toBe(1);
	});

	test('status, with and without Retry-After', async () => {
		await put({ fault: { kind: 'status', status: 502 } });
		const plain = await read();
		expect([plain.status, plain.headers.get('retry-after')]).toEqual([502, null]);
		await put({ fault: { kind: 'status', status: 503, retryAfter: 0 } });
		expect((await read()).headers.get('retry-after')).toBe('0');
	});

	test('slow: the same answer, later', async () => {
		await put({ fault: { kind: 'slow', delayMs: 300 } });
		const start = Date.now();
		expect((await read()).json).toMatchObject({ _id: requestId });
		expect(Date.now() - start).toBeGreaterThanOrEqual(290);
	});

	test('drip: the same answer, byte by byte', async () => {
		await put({ fault: { kind: 'drip', delayMs: 1 } });
		const start = Date.now();
		const { json, text } = await read();
		expect(json).toMatchObject({ _id: requestId });
		expect(Date.now() - start).toBeGreaterThanOrEqual(text.length);
	});

	test('cut: half of the answer, and the request is created', async () => {
		await put({ fault: { kind: 'cut' } });
		await expect(create()).rejects.toThrow();
		expect(await count()).toBe(2);
	});

	test('reset: no byte, and nothing is created', async () => {
		await put({ fault: { kind: 'reset' } });
		await expect(create()).rejects.toThrow();
		expect(await count()).toBe(1);
	});

	test('resetAfterwards: no byte, but the request is created', async () => {
		await put({ fault: { kind: 'resetAfterwards' } });
		await expect(create()).rejects.toThrow();
		expect(await count()).toBe(2);
		expect((await read()).status).toBe(200);
	});

	test('html: a login page with 200', async () => {
		await put({ fault: { kind: 'html' } });
		const { status, text, headers } = await create();
		expect([status, headers.get('content-type')]).toEqual([200, 'text/html']);
		expect(text).toMatch(/^<!doctype html>/);
		expect(await count()).toBe(1);
	});

	test('truncated: the right length of JSON that stops in the middle', async () => {
		const whole = (await read()).text;
		await put({ fault: { kind: 'truncated' } });
		const { status, text, headers } = await read();
		expect(status).toBe(200);
		expect(text).toBe(whole.slice(0, Math.ceil(whole.length / 2)));
		expect(headers.get('content-length')).toBe(String(text.length));
		expect(headers.get('content-type')).toMatch(/^application\/json/);
	});

	test('redirect: to the address, with the status', async () => {
		await put({ fault: { kind: 'redirect', status: 307, location: 'https://x.example.com/' } });
		const { status, location } = await create();
		expect([status, location]).toEqual([307, 'https://x.example.com/']);
		expect(await count()).toBe(1);
	});

	test('the service survives all of them, with nobody waiting for the end', async () => {
		await put({ fault: { kind: 'drip', delayMs: 50, left: null } });
		const gone = AbortSignal.timeout(100);
		const headers = { authorization: 'Bearer sandbox-api-key', tokenId: 'sandbox-token-id' };
		const url = `${service.url}/di/collection-request/${requestId}`;
		await expect(exchange(url, { headers, signal: gone })).rejects.toThrow();
		await exchange(`${service.url}/sandbox/faults`, { method: 'DELETE' });
		expect((await read()).status).toBe(200);
	});
});

test('apiDelayMs: every answer takes longer', async () => {
	await put({ apiDelayMs: 200 });
	const start = Date.now();
	expect((await read()).status).toBe(200);
	expect(Date.now() - start).toBeGreaterThanOrEqual(190);
});

test('requestsPerSecond: beyond it 429 with Retry-After: 1', async () => {
	await put({ requestsPerSecond: 2 });
	const answers = await Promise.all([read(), read(), read(), read()]);
	expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429]);
	const refused = answers.find(({ status }) => status === 429);
	expect(refused?.headers.get('retry-after')).toBe('1');
	await new Promise((resolve) => setTimeout(resolve, 1050));
	expect((await read()).status).toBe(200);
});

describe('the console', () => {
	const page = async () => (await exchange(`${service.url}/`)).text;

	test('sets a fault, shows what is active and how many are left, and clears it', async () => {
		expect(await page()).not.toContain('responses left');
		const fields = { kind: 'status', appliesTo: 'creates', count: '3', status: '504' };
		const { status, location } = await postForm(`${service.url}/console/faults`, {
			...fields,
			apiDelayMs: '20',
			requestsPerSecond: '50',
		});
		expect([status, location]).toEqual([303, '/#active-faults']);
		expect(await state()).toMatchObject({
			fault: { kind: 'status', appliesTo: 'creates', left: 3, status: 504 },
			apiDelayMs: 20,
			requestsPerSecond: 50,
		});
		expect((await create()).status).toBe(504);
		const shown = await page();
		for (const part of ['An error status', 'creates: 2 responses left', '20 ms', '50']) {
			expect(shown).toContain(part);
		}
		await postForm(`${service.url}/console/faults/clear`, {});
		expect(await state()).toEqual({ fault: null, apiDelayMs: 0, requestsPerSecond: null });
		expect(await page()).not.toContain('responses left');
	});

	test('no number of answers: until cleared', async () => {
		await postForm(`${service.url}/console/faults`, { kind: 'busy', count: '' });
		expect(await state()).toMatchObject({ fault: { kind: 'busy', left: null, retryAfter: 1 } });
		expect(await page()).toContain('until cleared');
	});

	test('nonsense in a field counts as nothing entered', async () => {
		const fields = { kind: 'nothing such', status: '99', delayMs: 'x', apiDelayMs: '-1' };
		await postForm(`${service.url}/console/faults`, fields);
		expect(await state()).toEqual({ fault: null, apiDelayMs: 0, requestsPerSecond: null });
	});

	test('a form on another site is refused', async () => {
		const { status } = await exchange(`${service.url}/console/faults`, {
			method: 'POST',
			headers: { origin: 'https://evil.example.com' },
			body: new URLSearchParams({ kind: 'busy' }),
		});
		expect(status).toBe(403);
		expect(await state()).toMatchObject({ fault: null });
	});
});
