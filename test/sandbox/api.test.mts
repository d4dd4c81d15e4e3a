import { asForm, asJson, authentication, ofProduction, startReceiver } from './client.mts';
import { textLike, useService, WEBHOOK_SECRET, type Json } from './client.mts';

const service = useService();

const environments = {
	staging: { prefix: '', headers: authentication },
	production: { prefix: '/production', headers: ofProduction },
};
type Name = keyof typeof environments;

const read = (name: Name, path: string, headers: Record<string, string>) =>
	service.ask(`${environments[name].prefix}/di/${path}`, { headers });
const create = (name: Name, headers: Record<string, string>, body: Json = {}) =>
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
	const { authorization, tokenId } = headers;

	test.each<[what: string, keys: Record<string, string>]>([
		['nothing', {}],
		['no key', { tokenId }],
		['a wrong key', { authorization: 'Bearer key-to-keep', tokenId }],
		['another scheme', { authorization: authorization.replace('Bearer', 'Basic'), tokenId }],
		['no token ID', { authorization }],
		['a wrong token ID', { authorization, tokenId: 'token-to-keep' }],
		['a token ID that continues', { authorization, tokenId: `${tokenId}x` }],
		[`the keys of ${other}`, others],
		[`the key of ${other}`, { authorization: others.authorization, tokenId }],
		[`the token ID of ${other}`, { authorization, tokenId: others.tokenId }],
	])('refuses %s before it looks at the rest, and repeats nothing', async (_what, keys) => {
		const before = await service.list('/sandbox/requests');
		const noJson = { ...asJson({}, keys), body: '{ not JSON' };
		const paths = ['share/unknown', 'collection-request/unknown', 'nowhere', 'share/%zz'];
		const refused = [
			...paths.map((path) => read(own, path, keys)),
			...[create(own, keys), service.ask(`${prefix}/di/collection-request/`, noJson)],
		];
		for (const { status, json, text } of await Promise.all(refused)) {
			expect([status, json.code]).toEqual([401, 'unauthorized']);
			expect(text).not.toMatch(/to-keep|sandbox-/);
		}
		expect(await service.list('/sandbox/requests')).toEqual(before);
	});

	test(`does not find what ${other} has: collection request, share, guest page`, async () => {
		const id = String((await create(own, headers)).json._id);
		const ann = { name: 'Ann', email: 'ann@example.com', 'answers[Delivery address]': 'Here' };
		const { text } = await service.ask(`${prefix}/request/${id}`, asForm(ann));
		expect(text).toContain('Thank you, Ann');
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
		expect((await service.ask(page, asForm(ann))).status).toBe(404);
	});

	test('leads its guests to its own pages only, and notifies', async () => {
		const receiver = await startReceiver({ status: 200 });
		const id = String((await create(own, headers, receiver.webhook)).json._id);
		const page = `${prefix}/request/${id}`;
		const { json } = await service.ask(`/sandbox/requests/${id}`);
		expect(json).toMatchObject({ guestLink: `${service.url()}${page}`, environment: own });
		expect((await service.ask(page)).text).toContain(`action="${page}"`);
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

describe('create', () => {
	const withSecret = { webhookSecret: WEBHOOK_SECRET };
	test.each<[fields: Json, message: RegExp]>([
		[{ templateId: undefined }, /templateId is missing/],
		[{ templateId: ' ' }, /templateId must not be empty/],
		[{ templateId: 7 }, /templateId must be text/],
		[{ minimumParticipants: '1' }, /minimumParticipants must be a whole number/],
		[{ maximumParticipants: 1.5 }, /must be a whole number/],
		[{ minimumParticipants: -1 }, /must be 0 or more/],
		[
			{ minimumParticipants: 3, maximumParticipants: 2 },
			/minimumParticipants must not be above maximumParticipants/,
		],
		[
			{ maximumParticipants: 1, participantList: [{ email: 'a@b.co' }, { email: 'c@d.co' }] },
			/participantList must not be longer/,
		],
		[
			{ participantList: [{ name: 'A' }, { email: 'nobody' }] },
			/participantList entry 2, email must be an email address/,
		],
		[{ participantList: ['a@b.co'] }, /participantList entry 1 must be an object/],
		[{ webhookUrl: 'http://127.0.0.1/' }, /needs a webhookSecret/],
		[{ webhookUrl: 'ftp://a.b/', ...withSecret }, /must be an absolute http or https URL/],
	])('refuses %j in plain words: %s', async (fields, message) => {
		const { status, json, text } = await service.create({ templateId: 't', ...fields });
		expect([status, json.code]).toEqual([400, 'invalid_body']);
		expect(json.message).toMatch(message);
		expect(text).not.toContain(WEBHOOK_SECRET);
	});

	const notJson = { ...asJson({}), body: `{ "webhookSecret": "${WEBHOOK_SECRET}", oops` };
	const askForJson = 'Send the body as JSON, with Content-Type: application/json.';
	test.each<[what: string, init: RequestInit, ...refusal: [number, string, string]]>([
		['no object', asJson([]), 400, 'invalid_body', 'The body must be an object.'],
		['what is not JSON', notJson, 400, 'invalid_body', 'The body is not valid JSON.'],
		['a form', asForm({ templateId: 't' }), 415, 'unsupported_media_type', askForJson],
	])('refuses %s without repeating it', async (_what, init, ...refusal) => {
		const headers = new Headers({ ...authentication, ...init.headers });
		// The path also works without its trailing slash.
		const { status, json } = await service.ask('/di/collection-request', { ...init, headers });
		expect([status, json.code, json.message]).toEqual(refusal);
	});

	test('tolerates unknown fields, and answers the ID alone', async () => {
		const { status, json } = await service.create({
			templateId: 't',
			childAccountId: 'child-1',
			unknown: { deep: true },
			webhookUrl: 'http://127.0.0.1:9/',
			...withSecret,
		});
		expect(status).toBe(201);
		expect(json).toEqual({ _id: textLike(/^[0-9a-f]{24}$/) });
		const created = await service.readRequest(String(json._id));
		expect(created).toMatchObject({ account_id: 'child-1', template: { _id: 't' } });
		expect(created).not.toHaveProperty('shareId');
		expect(JSON.stringify(created)).not.toContain(WEBHOOK_SECRET);
	});
});

test('what is unknown is 404, and a collection request ID is not a share ID', async () => {
	const another = `share/${await service.newRequest()}`;
	for (const path of ['share/x', 'collection-request/x', 'nowhere', 'share/%zz', another]) {
		const { status, json } = await service.read(path);
		expect([path, status, json.code]).toEqual([path, 404, 'not_found']);
	}
});
