import { startService } from '../engine/support/service.mts';
import type { Service } from '../engine/support/service.mts';
import { authentication, callApi, createRequest, exchange, isObject, postForm } from './client.mts';
import { postJson, readRequest, startReceiver, submit, until } from './client.mts';
import { ofProduction, WEBHOOK_SECRET } from './client.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
afterEach(() => exchange(`${service.url}/sandbox`, { method: 'DELETE' }));
afterAll(() => service.stop());

const isList = (value: unknown): value is unknown[] => Array.isArray(value);

async function list(path: string): Promise<unknown[]> {
	const answer: unknown = JSON.parse((await exchange(`${service.url}${path}`)).text);
	return isList(answer) ? answer : [];
}

describe('calls', () => {
	const paths = ['share/a%20b?x=1', 'share/%zz', 'nowhere'];

	test('are kept in order, as received, without secrets', async () => {
		for (const path of paths) await callApi(`${service.url}/di/${path}`);
		await exchange(`${service.url}/di/share/x`);
		await createRequest(service.url, { webhookSecret: WEBHOOK_SECRET });
		const calls = await list('/sandbox/calls');
		expect(calls).toMatchObject([
			...paths.map((path) => ({ method: 'GET', url: `/di/${path}`, status: 404, body: null })),
			{ url: '/di/share/x', status: 401 },
			{
				method: 'POST',
				url: '/di/collection-request/',
				status: 201,
				headers: { authorization: '(hidden)', tokenid: '(hidden)' },
				body: { templateId: 'delivery', webhookSecret: '(hidden)' },
			},
		]);
		expect(JSON.stringify(calls)).not.toMatch(/sandbox-api-key|sandbox-token-id|whsec/);
	});

	test('keep secrets when the service was told so', async () => {
		const told = await startService({ recordSecrets: true });
		await createRequest(told.url, { webhookSecret: WEBHOOK_SECRET });
		const calls: unknown = JSON.parse((await exchange(`${told.url}/sandbox/calls`)).text);
		await told.stop();
		expect(calls).toMatchObject([
			{
				headers: { authorization: authentication.authorization, tokenid: authentication.tokenId },
				body: { webhookSecret: WEBHOOK_SECRET },
			},
		]);
	});
});

test('completing creates the share if need be, once', async () => {
	const requestId = await createRequest(service.url);
	const complete = () => postJson(`${service.url}/sandbox/requests/${requestId}/complete`);
	const { json } = await complete();
	expect(json).toMatchObject({ request: { shareStatus: 'completed' }, share: { __v: 1 } });
	expect((await complete()).json).toMatchObject({ share: { __v: 1 } });
});

test('control takes a POST without any body', async () => {
	const requestId = await createRequest(service.url);
	const url = `${service.url}/sandbox/requests/${requestId}/complete`;
	expect((await exchange(url, { method: 'POST' })).status).toBe(200);
});

test('what is unknown is 404, and without a webhook there is nothing to send', async () => {
	const requestId = await createRequest(service.url);
	const forge = await postJson(`${service.url}/sandbox/requests/${requestId}/forge`);
	expect([forge.status, forge.json.code]).toEqual([409, 'no_webhook']);
	for (const path of ['requests/x/complete', 'requests/x/forge', 'deliveries/x/redeliver']) {
		expect((await postJson(`${service.url}/sandbox/${path}`)).status).toBe(404);
	}
	expect((await exchange(`${service.url}/sandbox/requests/x`)).status).toBe(404);
});

test('clearing forgets requests, deliveries and calls', async () => {
	const requestId = await createRequest(service.url);
	await submit(service.url, requestId, 'ann@example.com');
	const { json } = await exchange(`${service.url}/sandbox`, { method: 'DELETE' });
	expect(json).toEqual({ requests: 1, deliveries: 0, calls: 1 });
	expect(await list('/sandbox/requests')).toEqual([]);
	expect(await list('/sandbox/calls')).toEqual([]);
	expect(await readRequest(service.url, requestId)).toMatchObject({ code: 'not_found' });
});

test('no secret appears anywhere on the console or in the control answers', async () => {
	const receiver = await startReceiver({ status: 200 });
	const webhook = { webhookUrl: receiver.url, webhookSecret: WEBHOOK_SECRET };
	const requestId = await createRequest(service.url, webhook);
	await submit(service.url, requestId, 'ann@example.com');
	await receiver.take(2);
	for (const path of ['/', '/sandbox/requests', `/sandbox/requests/${requestId}`]) {
		const { text } = await exchange(`${service.url}${path}`);
		expect(text).toContain(requestId);
		expect(text).not.toContain(WEBHOOK_SECRET);
	}
	receiver.stop();
});

describe('the console', () => {
	test('says what to do while it is empty', async () => {
		const { text } = await exchange(`${service.url}/`);
		expect(text).toContain('No collection requests yet.');
		expect(text).toContain('What the sandbox decided where the real service is unknown');
	});

	test('its forms complete, forge, redeliver and repeat', async () => {
		const receiver = await startReceiver({ status: 204 });
		const webhook = { webhookUrl: receiver.url, webhookSecret: WEBHOOK_SECRET };
		const requestId = await createRequest(service.url, webhook);
		const press = (path: string) => postForm(`${service.url}/console/${path}`, {});
		const { status, location } = await press(`requests/${requestId}/complete`);
		expect([status, location]).toEqual([303, `/#request-${requestId}`]);
		await receiver.take(2);
		await press(`requests/${requestId}/forge`);
		const [state] = await list('/sandbox/requests');
		const forged: unknown =
			isObject(state) && Array.isArray(state.deliveries) && state.deliveries[0];
		await press(`deliveries/${String(isObject(forged) && forged.id)}/redeliver`);
		const received = await receiver.take(4);
		await press(`deliveries/${String(isObject(forged) && forged.id)}/repeat`);
		const [, , sent, , repeated] = await receiver.take(5);
		expect(received).toHaveLength(4);
		expect(repeated).toMatchObject({ headers: sent?.headers, body: sent?.body });
		receiver.stop();
	});
});

describe('the search of the console', () => {
	const people = { participantList: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] };
	const found = async (search: string) => {
		const { text } = await exchange(`${service.url}/?${new URLSearchParams({ q: search })}`);
		return [...text.matchAll(/<article id="request-(\w+)"/g)].map(([, id]) => id);
	};

	test('finds by ID, topic, name, email address, status, environment and guest link', async () => {
		const office = await createRequest(service.url, { ...people, webhookIdentifier: 'New office' });
		const empty = await createRequest(service.url, { templateId: 'onboarding' });
		await submit(service.url, office, 'ada@example.com');
		const { shareId } = await readRequest(service.url, office);
		const { json } = await exchange(`${service.url}/production/di/collection-request/`, {
			method: 'POST',
			headers: { ...ofProduction, 'content-type': 'application/json' },
			body: JSON.stringify({ templateId: 'delivery' }),
		});
		const production = String(json._id);
		const searches: Array<[string, string[]]> = [
			['', [production, empty, office]],
			[office, [office]],
			[String(shareId), [office]],
			['OFFICE new', [office]],
			['lovelace', [office]],
			['Ada@Example', [office]],
			['completed', [office]],
			['no share', [production, empty]],
			['onboarding', [empty]],
			['production', [production]],
			[`${service.url}/request/${empty}`, [empty]],
			['office onboarding', []],
			// Every ID has some of these, by chance.
			['0 1 2 3 4 5 6 7 8 9 a b c d e f', []],
		];
		for (const [search, expected] of searches) {
			expect([search, await found(search)]).toEqual([search, expected]);
		}
	});

	test('says how many there are, and that there is none', async () => {
		await createRequest(service.url, { webhookIdentifier: 'One' });
		await createRequest(service.url, { webhookIdentifier: 'Two' });
		expect((await exchange(`${service.url}/?q=two`)).text).toContain('>1 of 2<');
		const { text } = await exchange(`${service.url}/?q=%22%3E%3Cscript%3E`);
		expect(text).toContain('No collection request has all of these words.');
		expect(text).not.toContain('"><script>');
	});

	test('reaches those that are not shown because there are so many', async () => {
		const oldest = await createRequest(service.url, { webhookIdentifier: 'The oldest' });
		for (let count = 0; count < 100; count += 1) await createRequest(service.url);
		expect(await found('')).toHaveLength(100);
		expect((await exchange(service.url)).text).toContain('the newest 100 of 101');
		expect(await found('oldest')).toEqual([oldest]);
	});
});

describe('the console judges a delivery', () => {
	const pageAfter = async (status: number, send: string) => {
		const receiver = await startReceiver({ status });
		const webhook = { webhookUrl: receiver.url, webhookSecret: WEBHOOK_SECRET };
		const requestId = await createRequest(service.url, webhook);
		await postForm(`${service.url}/console/requests/${requestId}/${send}`, {});
		await receiver.take(send === 'complete' ? 2 : 1);
		receiver.stop();
		const hasEnded = (text: string) => !text.includes('>under way<');
		const read = async () => (await exchange(`${service.url}/`)).text;
		return await until(read, hasEnded);
	};

	test.each([
		[401, 'Does the credential of the trigger have the webhook secret'],
		[404, 'Is the workflow published?'],
		[409, 'does not wait, or does not wait any more'],
		[500, 'not able to handle it'],
	])('%i: says what may be behind it', async (status, text) => {
		expect(await pageAfter(status, 'complete')).toContain(text);
	});

	test('200: says nothing', async () => {
		expect(await pageAfter(200, 'complete')).not.toContain('class="error"');
	});

	test.each([
		[401, '401 as expected'],
		[200, 'it does not verify the signature'],
		[503, 'but 401 was expected'],
	])('forged and %i: %s', async (status, text) => {
		expect(await pageAfter(status, 'forge')).toContain(text);
	});
});

test('the console shows the answers, escaped', async () => {
	const requestId = await createRequest(service.url);
	await postJson(`${service.url}/request/${requestId}`, {
		name: 'Ann',
		email: 'ann@example.com',
		answers: { 'Delivery address': '<b>Seestrasse 2</b>' },
	});
	const { text } = await exchange(`${service.url}/`);
	expect(text).toContain('&lt;b&gt;Seestrasse 2&lt;/b&gt;');
	expect(text).not.toContain('<b>Seestrasse');
});

describe('other web pages', () => {
	const refused: Array<[string, Record<string, string>]> = [
		['another site', { 'sec-fetch-site': 'cross-site' }],
		['another port of this computer', { 'sec-fetch-site': 'same-site' }],
		['another origin', { origin: 'https://example.com' }],
		['an origin without a name', { origin: 'null' }],
	];

	test.each(refused)('%s cannot drive the sandbox', async (_what, headers) => {
		const requestId = await createRequest(service.url);
		const paths = [
			`/sandbox/requests/${requestId}/complete`,
			`/console/requests/${requestId}/complete`,
			`/request/${requestId}/join`,
		];
		for (const path of paths) {
			const answer = await exchange(`${service.url}${path}`, { method: 'POST', headers });
			expect([answer.status, answer.json.code]).toEqual([403, 'cross_origin']);
		}
		expect(await readRequest(service.url, requestId)).not.toHaveProperty('shareId');
	});

	test('its own pages can', async () => {
		const requestId = await createRequest(service.url);
		const headers = { origin: service.url, 'sec-fetch-site': 'same-origin' };
		const url = `${service.url}/console/requests/${requestId}/complete`;
		expect((await exchange(url, { method: 'POST', headers })).status).toBe(303);
	});
});
