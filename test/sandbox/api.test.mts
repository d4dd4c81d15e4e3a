import { asForm, asJson, authentication, textLike, useService, WEBHOOK_SECRET } from './client.mts';
import type { Json } from './client.mts';

const service = useService();
const { authorization, tokenId } = authentication;

test.each<[what: string, keys: Record<string, string>]>([
	['nothing', {}],
	['no key', { tokenId }],
	['a wrong key', { authorization: 'Bearer key-to-keep', tokenId }],
	['another scheme', { authorization: authorization.replace('Bearer', 'Basic'), tokenId }],
	['a wrong token ID', { authorization, tokenId: 'token-to-keep' }],
	['a token ID that continues', { authorization, tokenId: `${tokenId}x` }],
])('refuses %s before it looks at the rest, and repeats nothing', async (_what, headers) => {
	const noJson = { ...asJson({}, headers), body: '{ not JSON' };
	const paths = ['share/unknown', 'collection-request/unknown', 'nowhere'];
	const refused = [
		...paths.map((path) => service.ask(`/di/${path}`, { headers })),
		service.ask('/di/collection-request/', asJson({ templateId: 't' }, headers)),
		service.ask('/di/collection-request/', noJson),
	];
	for (const { status, json, text } of await Promise.all(refused)) {
		expect([status, json.code]).toEqual([401, 'unauthorized']);
		expect(text).not.toMatch(/to-keep|sandbox-/);
	}
	expect(await service.list('/sandbox/requests')).toEqual([]);
});

describe('create', () => {
	const withSecret = { webhookSecret: WEBHOOK_SECRET };
	test.each<[fields: Json, message: RegExp]>([
		[{ templateId: undefined }, /body must have required property 'templateId'/],
		[{ templateId: ' ' }, /templateId must match pattern/],
		[{ templateId: 7 }, /templateId must be string/],
		[{ maximumParticipants: 1.5 }, /must be integer/],
		[{ minimumParticipants: -1 }, /minimumParticipants must be >= 0/],
		[{ minimumParticipants: 3, maximumParticipants: 2 }, /must not be above maximumParticipants/],
		[{ maximumParticipants: 1, participantList: [{}, {}] }, /must not be longer/],
		[
			{ participantList: [{}, { email: 'nobody' }] },
			/participantList\/1\/email must match pattern/,
		],
		[{ webhookUrl: 'http://127.0.0.1/' }, /needs a webhookSecret/],
		[{ webhookUrl: 'ftp://a.b/', ...withSecret }, /must be an absolute http or https URL/],
	])('refuses %j and says why: %s', async (fields, message) => {
		const { status, json, text } = await service.create({ templateId: 't', ...fields });
		expect([status, json.code]).toEqual([400, 'invalid_body']);
		expect(json.message).toMatch(message);
		expect(text).not.toContain(WEBHOOK_SECRET);
	});

	const notJson = { ...asJson({}), body: `{ "webhookSecret": "${WEBHOOK_SECRET}", oops` };
	test.each<[what: string, init: RequestInit, status: number, message: RegExp]>([
		['what is not JSON', notJson, 400, /^The body is not valid JSON\.$/],
		['a form', asForm({ templateId: 't' }), 415, /^Send the body as JSON/],
	])('refuses %s without repeating it', async (_what, init, status, message) => {
		const headers = new Headers({ ...authentication, ...init.headers });
		// The path also works without its trailing slash.
		const refused = await service.ask('/di/collection-request', { ...init, headers });
		expect(refused).toMatchObject({ status, json: { message: textLike(message) } });
	});

	test('tolerates unknown fields, and answers the ID alone', async () => {
		const fields = { templateId: 't', childAccountId: 'child-1', unknown: { deep: true } };
		const webhook = { webhookUrl: 'http://127.0.0.1:9/', ...withSecret };
		const { status, json } = await service.create({ ...fields, ...webhook });
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
	for (const path of ['share/x', 'collection-request/x', 'nowhere', another]) {
		const { status, json } = await service.read(path);
		expect([path, status, json.code]).toEqual([path, 404, 'not_found']);
	}
});
