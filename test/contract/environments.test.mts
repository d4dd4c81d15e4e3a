import { asForm, asJson, authentication, ofProduction } from './client.mts';
import { startReceiver, textLike, useService, type Json } from './client.mts';

const service = useService();

const environments = {
	staging: { prefix: '', headers: authentication },
	production: { prefix: '/production', headers: ofProduction },
};
type Name = keyof typeof environments;
type Keys = typeof authentication;

const read = (name: Name, path: string, headers: Keys) =>
	service.ask(`${environments[name].prefix}/di/${path}`, { headers });
const create = (name: Name, headers: Keys, body: Json = {}) =>
	service.ask(
		`${environments[name].prefix}/di/collection-request/`,
		asJson({ templateId: 'delivery', ...body }, headers),
	);

describe.each<[own: Name, other: Name]>([
	['staging', 'production'],
	['production', 'staging'],
])('%s', (own, other) => {
	const { headers, prefix } = environments[own];
	const { headers: others, prefix: elsewhere } = environments[other];

	test(`refuses the keys of ${other}, one or both, and creates nothing`, async () => {
		const before = await service.list('/sandbox/requests');
		const { authorization, tokenId } = others;
		for (const keys of [others, { ...headers, authorization }, { ...headers, tokenId }]) {
			for (const refused of [await create(own, keys), await read(own, 'share/unknown', keys)]) {
				expect([refused.status, refused.json.code]).toEqual([401, 'unauthorized']);
				expect(refused.text).not.toMatch(/sandbox-/);
			}
		}
		expect(await service.list('/sandbox/requests')).toEqual(before);
		expect((await read(own, 'share/unknown', headers)).status).toBe(404);
	});

	test(`does not find what ${other} has: collection request, share, guest page`, async () => {
		const id = String((await create(own, headers)).json._id);
		const ann = { name: 'Ann', email: 'ann@example.com', 'answers[Delivery address]': 'Here' };
		const { status, location } = await service.ask(`${prefix}/request/${id}`, asForm(ann));
		const answersPath = textLike(RegExp(`^${prefix}/request/${id}/answers/[0-9a-f]+$`));
		expect([status, location]).toEqual([303, answersPath]);
		const { json } = await read(own, `collection-request/${id}`, headers);
		expect(json.shareStatus).toBe('completed');
		const share = `share/${String(json.shareId)}`;
		expect((await read(own, share, headers)).status).toBe(200);

		for (const path of [`collection-request/${id}`, share]) {
			const { status: missing, json: body } = await read(other, path, others);
			expect([missing, body.code]).toEqual([404, 'not_found']);
		}
		const page = `${elsewhere}/request/${id}`;
		expect((await service.ask(page)).status).toBe(404);
		expect((await service.ask(`${page}/join`, asForm(ann))).status).toBe(404);
		expect((await service.ask(location)).text).toContain('Thank you, Ann');
		expect((await service.ask(location.replace(prefix, elsewhere))).status).toBe(404);
	});

	test('leads its guests to its own pages only, and notifies', async () => {
		const receiver = await startReceiver({ status: 200 });
		const id = String((await create(own, headers, receiver.webhook)).json._id);
		const page = `${prefix}/request/${id}`;
		const { json } = await service.ask(`/sandbox/requests/${id}`);
		expect(json).toMatchObject({ guestLink: `${service.url()}${page}`, environment: own });
		expect((await service.ask(page)).text).toContain(`action="${page}/join"`);
		expect((await service.ask(`${page}/join`)).location).toBe(page);
		await service.post(`/sandbox/requests/${id}/complete`);
		expect(await receiver.take(2)).toHaveLength(2);
	});
});

test('the console shows the addresses and keys of both, and where a collection request is', async () => {
	const id = String((await create('production', ofProduction)).json._id);
	const { text } = await service.ask('/');
	for (const { prefix, headers } of Object.values(environments)) {
		const { authorization, tokenId } = headers;
		for (const shown of [service.url() + prefix, authorization.replace('Bearer ', ''), tokenId]) {
			expect(text).toContain(`<code>${shown}</code>`);
		}
	}
	expect(text).toContain(`href="${service.url()}/production/request/${id}"`);
	expect(text).toMatch(/Template delivery, production, nobody yet/);
});
