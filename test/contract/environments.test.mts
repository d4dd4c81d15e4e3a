import { startService } from '../engine/support/service.mts';
import type { Service } from '../engine/support/service.mts';
import { authentication, exchange, ofProduction, postForm, startReceiver } from './client.mts';
import type { Json } from './client.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
afterAll(() => service.stop());

const environments = {
	staging: { prefix: '', headers: authentication },
	production: { prefix: '/production', headers: ofProduction },
};
type Name = keyof typeof environments;
const both: Array<[Name, Name]> = [
	['staging', 'production'],
	['production', 'staging'],
];

const at = (name: Name) => `${service.url}${environments[name].prefix}`;
const read = (name: Name, path: string, headers: Record<string, string>) =>
	exchange(`${at(name)}/di/${path}`, { headers });
const create = (name: Name, headers: Record<string, string>, body: Json = {}) =>
	exchange(`${at(name)}/di/collection-request/`, {
		method: 'POST',
		headers: { ...headers, 'content-type': 'application/json' },
		body: JSON.stringify({ templateId: 'delivery', ...body }),
	});
const state = async (id: string) => (await exchange(`${service.url}/sandbox/requests/${id}`)).json;

describe.each(both)('%s', (own, other) => {
	const { headers } = environments[own];
	const others = environments[other].headers;

	test(`refuses the keys of ${other}, one or both, and creates nothing`, async () => {
		const before = (await exchange(`${service.url}/sandbox/requests`)).text;
		const wrong = [
			others,
			{ ...headers, authorization: others.authorization },
			{ ...headers, tokenId: others.tokenId },
		];
		for (const keys of wrong) {
			for (const refused of [await create(own, keys), await read(own, 'share/unknown', keys)]) {
				expect([refused.status, refused.json.code]).toEqual([401, 'unauthorized']);
				expect(refused.text).not.toMatch(/sandbox-/);
			}
		}
		expect((await exchange(`${service.url}/sandbox/requests`)).text).toBe(before);
		expect((await read(own, 'share/unknown', headers)).status).toBe(404);
	});

	test(`does not find what ${other} has: collection request, share, guest page`, async () => {
		const id = String((await create(own, headers)).json._id);
		const { status, location } = await postForm(`${at(own)}/request/${id}`, {
			name: 'Ann',
			email: 'ann@example.com',
			'answers[Delivery address]': 'Main Street 1',
		});
		expect([status, location]).toEqual([
			303,
			expect.stringMatching(`^${environments[own].prefix}/request/${id}/answers/[0-9a-f]+$`),
		]);
		const { json } = await read(own, `collection-request/${id}`, headers);
		expect(json.shareStatus).toBe('completed');
		expect((await read(own, `share/${String(json.shareId)}`, headers)).status).toBe(200);

		for (const path of [`collection-request/${id}`, `share/${String(json.shareId)}`]) {
			const { status: missing, json: body } = await read(other, path, others);
			expect([missing, body.code]).toEqual([404, 'not_found']);
		}
		const page = `${at(other)}/request/${id}`;
		const person = { name: 'Eve', email: 'eve@example.com' };
		expect((await exchange(page)).status).toBe(404);
		expect((await postForm(`${page}/join`, person)).status).toBe(404);
		expect((await exchange(`${service.url}${location}`)).status).toBe(200);
		const elsewhere = location.replace(environments[own].prefix, environments[other].prefix);
		expect((await exchange(`${service.url}${elsewhere}`)).status).toBe(404);
	});

	test('leads its guests to its own pages only, and notifies', async () => {
		const receiver = await startReceiver({ status: 200 });
		const webhook = { webhookUrl: receiver.url, webhookSecret: 'of-this-environment' };
		const id = String((await create(own, headers, webhook)).json._id);
		const { guestLink, environment } = await state(id);
		expect([guestLink, environment]).toEqual([`${at(own)}/request/${id}`, own]);
		const { text } = await exchange(String(guestLink));
		expect(text).toContain(`action="${environments[own].prefix}/request/${id}/join"`);
		const again = await exchange(`${String(guestLink)}/join`);
		expect(again.location).toBe(`${environments[own].prefix}/request/${id}`);
		await exchange(`${service.url}/sandbox/requests/${id}/complete`, { method: 'POST' });
		expect(await receiver.take(2)).toHaveLength(2);
		receiver.stop();
	});
});

test('the console shows the addresses and keys of both, and where a collection request is', async () => {
	const id = String((await create('production', ofProduction)).json._id);
	const { text } = await exchange(`${service.url}/`);
	for (const { prefix, headers } of Object.values(environments)) {
		expect(text).toContain(`<code>${service.url}${prefix}</code>`);
		expect(text).toContain(`<code>${headers.authorization.replace('Bearer ', '')}</code>`);
		expect(text).toContain(`<code>${headers.tokenId}</code>`);
	}
	expect(text).toContain(`href="${service.url}/production/request/${id}"`);
	expect(text).toMatch(/Template delivery, production, nobody yet/);
});
