import { asForm, asJson, authentication, useService, WEBHOOK_SECRET } from './client.mts';
import type { Json } from './client.mts';

const service = useService();
const { authorization, tokenId } = authentication;

describe('authentication', () => {
	test.each<[what: string, headers: Record<string, string>]>([
		['nothing', {}],
		['no key', { tokenId }],
		['a wrong key', { authorization: 'Bearer other', tokenId }],
		['another scheme', { authorization: 'Basic sandbox-api-key', tokenId }],
		['no token ID', { authorization }],
		['a wrong token ID', { authorization, tokenId: 'other' }],
		['a token ID that continues', { authorization, tokenId: `${tokenId}x` }],
	])('%s is refused before the ID is looked up or the body is read', async (_what, headers) => {
		for (const path of ['share/unknown', 'collection-request/unknown', 'nowhere', 'share/%zz']) {
			const { status, json } = await service.ask(`/di/${path}`, { headers });
			expect([status, json.code]).toEqual([401, 'unauthorized']);
		}
		const noJson = { ...asJson({}, headers), body: '{ not JSON' };
		expect((await service.ask('/di/collection-request/', noJson)).status).toBe(401);
	});

	test('a refusal repeats nothing of what was sent', async () => {
		const headers = { authorization: 'Bearer key-to-keep', tokenId: 'token-to-keep' };
		const { text } = await service.ask('/di/share/unknown', { headers });
		expect(text).not.toMatch(/to-keep|sandbox-api-key|sandbox-token-id/);
	});
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

	const notJson = `{ "webhookSecret": "${WEBHOOK_SECRET}", oops`;
	const askForJson = 'Send the body as JSON, with Content-Type: application/json.';
	test.each<[what: string, init: RequestInit, refusal: [number, string, string]]>([
		['no object', asJson([]), [400, 'invalid_body', 'The body must be an object.']],
		[
			'what is not JSON',
			{ ...asJson({}), body: notJson },
			[400, 'invalid_body', 'The body is not valid JSON.'],
		],
		['a form', asForm({ templateId: 't' }), [415, 'unsupported_media_type', askForJson]],
	])('refuses %s without repeating it', async (_what, init, refusal) => {
		const headers = new Headers({ ...authentication, ...init.headers });
		const { status, json } = await service.ask('/di/collection-request/', { ...init, headers });
		expect([status, json.code, json.message]).toEqual(refusal);
	});

	test('tolerates unknown fields and never answers the webhook secret', async () => {
		const { status, json, text } = await service.create({
			templateId: 't',
			childAccountId: 'child-1',
			unknown: { deep: true },
			webhookUrl: 'http://127.0.0.1:9/',
			...withSecret,
		});
		expect(status).toBe(201);
		expect(json).toMatchObject({ account_id: 'child-1', template: { _id: 't' } });
		expect(json._id).toMatch(/^[0-9a-f]{24}$/);
		expect(json).not.toHaveProperty('shareId');
		expect(text).not.toContain(WEBHOOK_SECRET);
	});

	test('takes the path with and without its last slash', async () => {
		const create = asJson({ templateId: 't' }, authentication);
		expect((await service.ask('/di/collection-request', create)).status).toBe(201);
	});
});

test.each(['share/unknown', 'collection-request/unknown', 'nowhere', 'share/%zz'])(
	'%s answers 404',
	async (path) => {
		const { status, json } = await service.read(path);
		expect([status, json.code]).toEqual([404, 'not_found']);
	},
);

test('a collection request ID is not a share ID', async () => {
	expect((await service.read(`share/${await service.newRequest()}`)).status).toBe(404);
});
