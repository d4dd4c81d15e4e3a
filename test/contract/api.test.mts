import { startService } from '../engine/support/service.mts';
import type { Service } from '../engine/support/service.mts';
import { authentication, callApi, createRequest, exchange, WEBHOOK_SECRET } from './client.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
afterAll(() => service.stop());

const create = (body: unknown) => callApi(`${service.url}/di/collection-request/`, body);

describe('authentication', () => {
	const { authorization, tokenId } = authentication;
	const refused: Array<[string, Record<string, string>]> = [
		['nothing', {}],
		['no key', { tokenId }],
		['a wrong key', { authorization: 'Bearer other', tokenId }],
		['another scheme', { authorization: 'Basic sandbox-api-key', tokenId }],
		['no token ID', { authorization }],
		['a wrong token ID', { authorization, tokenId: 'other' }],
		['a token ID that continues', { authorization, tokenId: `${tokenId}x` }],
	];

	test.each(refused)('%s is refused before the ID is looked up', async (_what, headers) => {
		for (const path of ['share/unknown', 'collection-request/unknown', 'nowhere', 'share/%zz']) {
			const { status, json } = await exchange(`${service.url}/di/${path}`, { headers });
			expect([status, json.code]).toEqual([401, 'unauthorized']);
		}
	});

	test.each(refused)('%s is refused before the body is read', async (_what, headers) => {
		const { status } = await exchange(`${service.url}/di/collection-request/`, {
			method: 'POST',
			headers: { ...headers, 'content-type': 'application/json' },
			body: '{ not JSON',
		});
		expect(status).toBe(401);
	});

	test('a refusal repeats nothing of what was sent', async () => {
		const headers = { authorization: 'Bearer key-to-keep', tokenId: 'token-to-keep' };
		const { text } = await exchange(`${service.url}/di/share/unknown`, { headers });
		expect(text).not.toMatch(/to-keep|sandbox-api-key|sandbox-token-id/);
	});
});

describe('create', () => {
	const refused: Array<[string, unknown, RegExp]> = [
		['no object', [], /body must be an object/],
		['no template', {}, /templateId is missing/],
		['an empty template', { templateId: ' ' }, /templateId must not be empty/],
		['a number for text', { templateId: 7 }, /templateId must be text/],
		[
			'text for a number',
			{ templateId: 't', minimumParticipants: '1' },
			/minimumParticipants must be a whole number/,
		],
		['half a person', { templateId: 't', maximumParticipants: 1.5 }, /must be a whole number/],
		['a negative minimum', { templateId: 't', minimumParticipants: -1 }, /must be 0 or more/],
		[
			'a minimum above the maximum',
			{ templateId: 't', minimumParticipants: 3, maximumParticipants: 2 },
			/minimumParticipants must not be above maximumParticipants/,
		],
		[
			'more invited than allowed',
			{
				templateId: 't',
				maximumParticipants: 1,
				participantList: [{ email: 'a@b.co' }, { email: 'c@d.co' }],
			},
			/participantList must not be longer/,
		],
		[
			'something that is no email address',
			{ templateId: 't', participantList: [{ name: 'A' }, { email: 'nobody' }] },
			/participantList entry 2, email must be an email address/,
		],
		[
			'a participant that is no object',
			{ templateId: 't', participantList: ['a@b.co'] },
			/participantList entry 1 must be an object/,
		],
		[
			'a webhook without a secret',
			{ templateId: 't', webhookUrl: 'http://127.0.0.1/' },
			/needs a webhookSecret/,
		],
		[
			'a webhook address of another kind',
			{ templateId: 't', webhookUrl: 'ftp://example.com/', webhookSecret: WEBHOOK_SECRET },
			/must be an absolute http or https URL/,
		],
	];

	test.each(refused)('refuses %s in plain words', async (_what, body, message) => {
		const { status, json, text } = await create(body);
		expect([status, json.code]).toEqual([400, 'invalid_body']);
		expect(json.message).toMatch(message);
		expect(text).not.toContain(WEBHOOK_SECRET);
	});

	test('refuses what is not JSON without repeating it', async () => {
		const answer = await exchange(`${service.url}/di/collection-request/`, {
			method: 'POST',
			headers: { ...authentication, 'content-type': 'application/json' },
			body: `{ "webhookSecret": "${WEBHOOK_SECRET}", oops`,
		});
		expect(answer.status).toBe(400);
		expect(answer.json.message).toBe('The body is not valid JSON.');
	});

	test('refuses a form', async () => {
		const answer = await exchange(`${service.url}/di/collection-request/`, {
			method: 'POST',
			headers: authentication,
			body: new URLSearchParams({ templateId: 't' }),
		});
		expect([answer.status, answer.json.code]).toEqual([415, 'unsupported_media_type']);
	});

	test('tolerates unknown fields and never answers the webhook secret', async () => {
		const { status, json, text } = await create({
			templateId: 't',
			childAccountId: 'child-1',
			unknown: { deep: true },
			webhookUrl: 'http://127.0.0.1:9/',
			webhookSecret: WEBHOOK_SECRET,
		});
		expect(status).toBe(201);
		expect(json).toMatchObject({ account_id: 'child-1', template: { _id: 't' } });
		expect(json._id).toMatch(/^[0-9a-f]{24}$/);
		expect(json).not.toHaveProperty('shareId');
		expect(text).not.toContain(WEBHOOK_SECRET);
	});

	test('takes the path with and without its last slash', async () => {
		const { status } = await callApi(`${service.url}/di/collection-request`, { templateId: 't' });
		expect(status).toBe(201);
	});
});

test.each(['share/unknown', 'collection-request/unknown', 'nowhere', 'share/%zz'])(
	'%s answers 404',
	async (path) => {
		const { status, json } = await callApi(`${service.url}/di/${path}`);
		expect([status, json.code]).toEqual([404, 'not_found']);
	},
);

test('a collection request ID is not a share ID', async () => {
	const requestId = await createRequest(service.url);
	expect((await callApi(`${service.url}/di/share/${requestId}`)).status).toBe(404);
});
