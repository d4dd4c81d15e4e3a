import { createHmac } from 'node:crypto';
import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { startService } from '../engine/support/service.mts';
import type { Service } from '../engine/support/service.mts';
import { callApi, createRequest, exchange, isObject, listOf, readRequest } from './client.mts';
import { startReceiver, submit, textLike, WEBHOOK_SECRET } from './client.mts';
import type { Json } from './client.mts';

let service: Service;
let openApi: Json;
let validator: Ajv2020;

beforeAll(async () => {
	service = await startService();
	openApi = (await exchange(`${service.url}/docs/json`)).json;
	validator = new Ajv2020({ strict: false, allErrors: true });
	formats.default(validator);
	void validator.addSchema(openApi, 'openapi');
});
afterAll(() => service.stop());

/** Follows property names into the document, as an object; `$ref` is resolved on the way. */
function at(...path: string[]): Json {
	return path.reduce<Json>((node, key) => resolve(node[key]), openApi);
}

function resolve(node: unknown): Json {
	if (!isObject(node)) return {};
	if (typeof node.$ref !== 'string') return node;
	return at(...node.$ref.replace('#/', '').split('/'));
}

function expectValid(value: unknown, ...path: string[]): void {
	const pointer = path.map((part) => part.replaceAll('/', '~1')).join('/');
	const validate = validator.getSchema(`openapi#/${pointer}`);
	if (!validate) throw new Error(`There is no schema at ${pointer}.`);
	const isValid = validate(value);
	expect(isValid === true || validate.errors).toBe(true);
}

function expectAnswer(value: unknown, method: string, path: string, status: number): void {
	const media = ['responses', String(status), 'content', 'application/json', 'schema'];
	expectValid(value, 'paths', path, method, ...media);
}

// The tables under Resources, Create body and Payload, copied by hand: resource, field, type.
const fields: Record<string, Record<string, unknown>> = {
	Share: {
		_id: 'string',
		deleteTime: ['string', 'null'],
		schemaVersion: 'string',
		participants: 'array',
		otherFields: 'array',
		template: 'object',
		isQuotaLocked: 'boolean',
		status: 'string',
		agreements: 'array',
		updateLogs: 'array',
		isPublicJoin: 'boolean',
		collectionRequestId: 'string',
		createTime: 'string',
		lastUpdateTime: 'string',
		__v: 'integer',
	},
	Participant: {
		account_id: 'string',
		accountType: 'string',
		accountSnapshot: 'object',
		roles: 'array',
		parentAccount_id: 'string',
	},
	'Participant.accountSnapshot': {
		_id: 'string',
		name: 'string',
		email: ['string', 'null'],
		phoneNumber: ['string', 'null'],
		displayPictureUrl: ['string', 'null'],
		parentAccountId: ['string', 'null'],
	},
	'Share.template': { _id: 'string', purpose: 'string', type: 'string' },
	OtherField: { value: 'string', isMandatory: 'boolean', type: 'string', label: 'string' },
	UpdateLog: {
		remark: 'string',
		updatedByAccount_id: 'string',
		updatedByAccountType: 'string',
		updatedByAccountSnapshot: 'object',
		updateTime: 'string',
	},
	'UpdateLog.updatedByAccountSnapshot': { name: 'string' },
	CollectionRequest: {
		_id: 'string',
		account_id: 'string',
		title: 'string',
		participantList: 'array',
		minimumParticipants: 'integer',
		maximumParticipants: 'integer',
		shareStatus: 'string',
		createTime: 'string',
		shareId: 'string',
		template: 'object',
	},
	'CollectionRequest.template': { _id: 'string', purpose: 'string' },
	CreateCollectionRequestDto: {
		templateId: 'string',
		childAccountId: 'string',
		// The API says number (Create body); whole numbers are the sandbox's own choice.
		minimumParticipants: 'integer',
		maximumParticipants: 'integer',
		participantList: 'array',
		webhookUrl: 'string',
		webhookSecret: 'string',
		webhookIdentifier: 'string',
	},
	ParticipantDetails: {
		email: 'string',
		phoneNumber: 'string',
		name: 'string',
		isAdmin: 'boolean',
	},
	Notification: {
		event: 'string',
		requestId: 'string',
		shareStatus: 'string',
		webhookIdentifier: 'string',
		timestamp: 'string',
	},
};

describe('the OpenAPI document', () => {
	test.each(Object.entries(fields))('describes every field of %s', (name, expected) => {
		const [schema = '', nested] = name.split('.');
		const path = nested ? [schema, 'properties', nested] : [schema];
		const properties = at('components', 'schemas', ...path, 'properties');
		const types = Object.entries(properties).map(([key, value]) => [key, resolve(value).type]);
		expect(Object.fromEntries(types)).toEqual(expected);
		for (const value of Object.values(properties)) {
			expect(resolve(value).description).toEqual(expect.any(String));
		}
	});

	test('types the elements of the lists', () => {
		const share = ['components', 'schemas', 'Share', 'properties'];
		const item = (list: string) => at(...share, list, 'items').description;
		expect(item('participants')).toMatch(/participant/i);
		expect(item('otherFields')).toMatch(/answer/i);
		expect(item('updateLogs')).toMatch(/change/i);
		const create = ['components', 'schemas', 'CreateCollectionRequestDto', 'properties'];
		expect(at(...create, 'participantList', 'items').properties).toHaveProperty('isAdmin');
	});

	test.each([
		['post', '/di/collection-request/'],
		['get', '/di/collection-request/{id}'],
		['get', '/di/share/{id}'],
	])('asks for both authentication headers on %s %s', (method, path) => {
		expect(at('paths', path, method).security).toEqual([{ apiKey: [], tokenId: [] }]);
		const schemes = at('components', 'securitySchemes');
		expect(schemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' });
		expect(schemes.tokenId).toMatchObject({ type: 'apiKey', in: 'header', name: 'tokenId' });
	});

	test('has the event, the five headers and the payload of the webhook request', () => {
		const webhook = at('webhooks', 'collection_request.updated', 'post');
		const headers = listOf(webhook.parameters).filter((parameter) => parameter.in === 'header');
		expect(headers.map(({ name }) => name)).toEqual([
			'X-SVC-Signature',
			'X-SVC-Timestamp',
			'X-SVC-Event',
			'X-SVC-Delivery-Id',
			'User-Agent',
		]);
		expect(webhook.requestBody).toEqual({
			required: true,
			content: { 'application/json': { schema: { $ref: '#/components/schemas/Notification' } } },
		});
	});

	test('marks what the API leaves open', () => {
		const own = textLike(/The sandbox's own choice/);
		expect(at('components', 'schemas', 'Error').description).toEqual(own);
		expect(at('paths', '/di/collection-request/', 'post', 'responses', '201').description).toEqual(
			own,
		);
		expect(at('webhooks', 'collection_request.updated', 'post').description).toEqual(own);
	});

	test('is also there as a page', async () => {
		const { status, headers } = await exchange(`${service.url}/docs/`);
		expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
	});
});

describe('answers are what the OpenAPI document says', () => {
	const body = {
		templateId: 'delivery',
		minimumParticipants: 2,
		participantList: [{ email: 'ann@example.com', isAdmin: true }, { name: 'No email address' }],
	};

	test('before a share, while open, and when completed', async () => {
		const created = await callApi(`${service.url}/di/collection-request/`, body);
		expectAnswer(created.json, 'post', '/di/collection-request/', 201);
		const requestId = String(created.json._id);
		const states: unknown[] = [await checkState(requestId)];
		for (const email of ['ann@example.com', 'ben@example.com']) {
			await submit(service.url, requestId, email);
			states.push(await checkState(requestId));
		}
		expect(states).toEqual([
			['open', undefined],
			['open', 'open'],
			['completed', 'completed'],
		]);
	});

	async function checkState(requestId: string) {
		const request = await readRequest(service.url, requestId);
		expectAnswer(request, 'get', '/di/collection-request/{id}', 200);
		const state = await exchange(`${service.url}/sandbox/requests/${requestId}`);
		expectAnswer(state.json, 'get', '/sandbox/requests/{id}', 200);
		if (typeof request.shareId !== 'string') return [request.shareStatus, undefined];
		const share = (await callApi(`${service.url}/di/share/${request.shareId}`)).json;
		expectAnswer(share, 'get', '/di/share/{id}', 200);
		return [request.shareStatus, share.status];
	}

	test('errors', async () => {
		const collectionRequest = '/di/collection-request/{id}';
		const unauthorized = await exchange(`${service.url}/di/collection-request/x`);
		expectAnswer(unauthorized.json, 'get', collectionRequest, 401);
		const missing = await callApi(`${service.url}/di/collection-request/x`);
		expectAnswer(missing.json, 'get', collectionRequest, 404);
		const refused = await callApi(`${service.url}/di/collection-request/`, {});
		expectAnswer(refused.json, 'post', '/di/collection-request/', 400);
	});

	test('notifications, with and without an identifier', async () => {
		const receiver = await startReceiver({ status: 200 });
		for (const identifier of [{ webhookIdentifier: 'mine' }, {}]) {
			const webhook = { webhookUrl: receiver.url, webhookSecret: WEBHOOK_SECRET };
			const requestId = await createRequest(service.url, { ...webhook, ...identifier });
			await submit(service.url, requestId, 'ann@example.com');
		}
		const received = await receiver.take(4);
		receiver.stop();
		for (const { headers, body } of received) {
			expectValid(JSON.parse(body.toString()), 'components', 'schemas', 'Notification');
			const signed = `${String(headers['x-svc-timestamp'])}.${body.toString()}`;
			const signature = createHmac('sha256', WEBHOOK_SECRET).update(signed).digest('hex');
			expect(headers['x-svc-signature']).toBe(signature);
		}
	});

	test('calls and the list of requests', async () => {
		const list = await fetch(`${service.url}/sandbox/requests`);
		expectAnswer(await list.json(), 'get', '/sandbox/requests', 200);
		const calls = await fetch(`${service.url}/sandbox/calls`);
		expectAnswer(await calls.json(), 'get', '/sandbox/calls', 200);
	});
});
