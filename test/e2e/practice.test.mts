import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { readExample } from '../../sandbox/n8n/examples.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import type { Json } from '../../sandbox/n8n/types.mts';
import { n8nUrl, rest } from '../support/environment.mts';
import { until } from '../support/until.mts';

// The importable workflow that stands in for the service inside the user's own n8n.

const base = `${n8nUrl}/webhook/data-collection-practice`;
await publish(rest, await rest.createWorkflow(await readExample('practice-service')));

const KEYS = { Authorization: 'Bearer practice-key', tokenId: 'practice-key' };
const call = async (path: string, body?: Json, headers: Record<string, string> = KEYS) => {
	const response = await fetch(`${base}${path}`, {
		method: body === undefined ? 'GET' : 'POST',
		headers: { ...headers, 'Content-Type': 'application/json' },
		body: body && JSON.stringify(body),
	});
	return { status: response.status, json: (await response.json()) as Json };
};
const create = async (body: Json = {}) => {
	const { status, json } = await call('/di/collection-request/', { templateId: 't', ...body });
	expect(status).toBe(201);
	return String(json._id);
};
const guestPage = async (id: string, form?: Record<string, string>) => {
	const body = form && new URLSearchParams(form);
	const response = await fetch(`${base}/request/${id}`, { method: body ? 'POST' : 'GET', body });
	return { status: response.status, text: await response.text() };
};
const ADA = { name: 'Ada', email: 'ada@example.com' };
const BEN = { name: 'Ben', email: 'ben@example.com' };
const INVITED = { participantList: [ADA, BEN], minimumParticipants: 2, maximumParticipants: 2 };

test('a collection request goes from nobody to a share to completed, as in the API', async () => {
	const id = await create({ ...INVITED, webhookIdentifier: 'T-shirts' });
	const read = async () => (await call(`/di/collection-request/${id}`)).json;
	expect(await read()).toMatchObject({ _id: id, shareStatus: 'open', minimumParticipants: 2 });
	expect(await read()).not.toHaveProperty('shareId');
	expect(await read()).not.toHaveProperty('webhookSecret');
	const { text } = await guestPage(id);
	expect(text).toContain('<h1>T-shirts</h1>');
	expect((await guestPage(id, { who: ADA.email, answer0: 'M' })).text).toContain('1 more to go');
	expect((await guestPage(id, { who: ADA.email, answer0: 'L' })).text).toContain('<form');
	const { shareId } = await read();
	expect((await call(`/di/share/${String(shareId)}`)).json).toMatchObject({ status: 'open' });
	expect((await guestPage(id, { who: BEN.email, answer0: 'S' })).text).toContain('Thank you');
	expect(await read()).toMatchObject({ shareStatus: 'completed', shareId });
	expect((await call(`/di/share/${String(shareId)}`)).json).toMatchObject({
		...{ _id: shareId, collectionRequestId: id, status: 'completed' },
		participants: [{ accountSnapshot: ADA }, { accountSnapshot: BEN }],
		otherFields: [
			{ label: 'T-shirt size', value: 'M', isMandatory: true, type: 'text' },
			{ label: 'Remarks', value: '' },
			{ label: 'T-shirt size', value: 'S' },
			{ label: 'Remarks' },
		],
		updateLogs: [{ updatedByAccountSnapshot: { name: 'Ada' } }, {}],
	});
	expect((await guestPage(id)).text).toContain('Completed');
});

test.each([
	['a wrong key', '/di/share/1', { ...KEYS, Authorization: 'Bearer other-key' }, 401],
	['a wrong token ID', '/di/share/1', { ...KEYS, tokenId: 'other-key' }, 401],
	['an unknown collection request', '/di/collection-request/1', KEYS, 404],
	['an unknown share', '/di/share/1', KEYS, 404],
	['an unknown resource', '/di/other/1', KEYS, 404],
])('%s', async (_what, path, headers, status) => {
	expect((await call(path, undefined, headers)).status).toBe(status);
});

test('an unknown guest link', async () => {
	expect(await guestPage('1')).toMatchObject({ status: 404 });
});

test('50 creates at once are all kept', async () => {
	const bodies = [...Array(50).keys()].map((index) => ({ webhookIdentifier: `n${index}` }));
	const ids = await Promise.all(bodies.map(async (body) => await create(body)));
	expect(new Set(ids).size).toBe(50);
	for (const [index, id] of ids.entries()) {
		const { json } = await call(`/di/collection-request/${id}`);
		expect(json).toMatchObject({ _id: id, title: `n${index}` });
	}
}, 120_000);

test('what people type never becomes markup', async () => {
	const markup = `"><script>alert(1)</script><b x='`;
	const id = await create({
		...{ webhookIdentifier: markup, minimumParticipants: 2 },
		participantList: [{ name: markup, email: markup }],
	});
	const { text } = await guestPage(id);
	expect(text).toContain('alert(1)');
	expect(text).not.toMatch(/<script|<b x/);
	expect((await guestPage(id, { who: markup, answer0: markup })).text).not.toMatch(/<script|<b x/);
	const { shareId } = (await call(`/di/collection-request/${id}`)).json;
	const { otherFields } = (await call(`/di/share/${String(shareId)}`)).json;
	expect(otherFields).toMatchObject([{ value: markup }, {}]);
});

describe('notifications', () => {
	test('to a foreign address are refused', async () => {
		for (const webhookUrl of ['https://example.com/webhook/1', `${n8nUrl}.example.com/`, 7]) {
			const { status } = await call('/di/collection-request/', { templateId: 't', webhookUrl });
			expect(status).toBe(400);
		}
	});
});
