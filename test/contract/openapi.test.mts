import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { anyText, isObject, listOf, startReceiver, textLike, useService } from './client.mts';
import type { Answer, Json } from './client.mts';

const service = useService();
const validator = new Ajv2020({ strict: false, allErrors: true });
formats.default(validator);
let openApi: Json;
beforeAll(async () => {
	openApi = (await service.ask('/docs/json')).json;
	validator.addSchema(openApi, 'openapi');
});

/** Follows property names into the document, as an object; `$ref` is resolved on the way. */
function at(...path: string[]): Json {
	return path.reduce<Json>((node, key) => resolve(node[key]), openApi);
}

function resolve(node: unknown): Json {
	if (!isObject(node)) return {};
	return typeof node.$ref === 'string' ? at(...node.$ref.replace('#/', '').split('/')) : node;
}

function expectValid(value: unknown, ...path: string[]): void {
	const pointer = path.map((part) => part.replaceAll('/', '~1')).join('/');
	const validate = validator.getSchema(`openapi#/${pointer}`);
	if (!validate) throw new Error(`There is no schema at ${pointer}.`);
	expect(validate(value) === true || validate.errors).toBe(true);
}

/** Compares the status, and the body with what the document says of it; answers the body. */
function expectAnswer(answer: Answer, status: number, method: string, path: string): Json {
	expect(answer.status).toBe(status);
	const media = ['responses', String(status), 'content', 'application/json', 'schema'];
	expectValid(JSON.parse(answer.text), 'paths', path, method, ...media);
	return answer.json;
}

const collectionRequests = '/di/collection-request/';
const collectionRequest = '/di/collection-request/{id}';

// The tables under Resources, Create body and Payload, copied by hand: type, fields.
const resources: Record<string, Record<string, string>> = {
	Share: {
		string: '_id collectionRequestId createTime lastUpdateTime schemaVersion status',
		'string,null': 'deleteTime',
		array: 'agreements otherFields participants updateLogs',
		boolean: 'isPublicJoin isQuotaLocked',
		integer: '__v',
		object: 'template',
	},
	'Share.template': { string: '_id purpose type' },
	Participant: {
		string: 'accountType account_id parentAccount_id',
		array: 'roles',
		object: 'accountSnapshot',
	},
	'Participant.accountSnapshot': {
		string: '_id name',
		'string,null': 'displayPictureUrl email parentAccountId phoneNumber',
	},
	OtherField: { string: 'label type value', boolean: 'isMandatory' },
	UpdateLog: {
		string: 'remark updateTime updatedByAccountType updatedByAccount_id',
		object: 'updatedByAccountSnapshot',
	},
	'UpdateLog.updatedByAccountSnapshot': { string: 'name' },
	CollectionRequest: {
		string: '_id account_id createTime shareId shareStatus title',
		array: 'participantList',
		integer: 'maximumParticipants minimumParticipants',
		object: 'template',
	},
	'CollectionRequest.template': { string: '_id purpose' },
	CreateCollectionRequestDto: {
		string: 'childAccountId templateId webhookIdentifier webhookSecret webhookUrl',
		array: 'participantList',
		// The API says number (Create body); whole numbers are the sandbox's own choice.
		integer: 'maximumParticipants minimumParticipants',
	},
	ParticipantDetails: { string: 'email name phoneNumber', boolean: 'isAdmin' },
	Notification: { string: 'event requestId shareStatus timestamp webhookIdentifier' },
};

describe('the OpenAPI document', () => {
	const schema = (name: string, ...path: string[]) => at('components', 'schemas', name, ...path);
	const ownChoice = textLike(/The sandbox's own choice/);

	test.each(Object.entries(resources))('describes every field of %s', (resource, expected) => {
		const [name = '', nested] = resource.split('.');
		const path = nested === undefined ? [] : ['properties', nested];
		const found: Record<string, string[]> = {};
		for (const [field, value] of Object.entries(schema(name, ...path, 'properties'))) {
			const { type, description } = resolve(value);
			(found[String(type)] ??= []).push(field);
			expect({ field, description }).toEqual({ field, description: anyText });
		}
		const sorted = Object.entries(found).map(([type, fields]) => [type, fields.sort().join(' ')]);
		expect(Object.fromEntries(sorted)).toEqual(expected);
	});

	test.each([
		['Share', 'participants', { description: textLike(/participant/i) }],
		['Share', 'otherFields', { description: textLike(/answer/i) }],
		['Share', 'updateLogs', { description: textLike(/change/i) }],
		['CreateCollectionRequestDto', 'participantList', { properties: { isAdmin: {} } }],
	])('types the elements of %s.%s', (name, list, expected) => {
		expect(schema(name, 'properties', list, 'items')).toMatchObject(expected);
	});

	test('asks for both authentication headers on every path of the API', () => {
		const schemes = at('components', 'securitySchemes');
		expect(schemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' });
		expect(schemes.tokenId).toMatchObject({ type: 'apiKey', in: 'header', name: 'tokenId' });
		const paths = [collectionRequest, '/di/share/{id}'].map((path) => at('paths', path, 'get'));
		for (const { security } of [at('paths', collectionRequests, 'post'), ...paths]) {
			expect(security).toEqual([{ apiKey: [], tokenId: [] }]);
		}
	});

	test('has the event, the five headers and the payload of the webhook request', () => {
		const webhook = at('webhooks', 'collection_request.updated', 'post');
		const headers = listOf(webhook.parameters).filter((parameter) => parameter.in === 'header');
		expect(headers.map(({ name }) => name)).toEqual([
			...['X-SVC-Signature', 'X-SVC-Timestamp', 'X-SVC-Event', 'X-SVC-Delivery-Id', 'User-Agent'],
		]);
		expect(webhook.requestBody).toEqual({
			required: true,
			content: { 'application/json': { schema: { $ref: '#/components/schemas/Notification' } } },
		});
	});

	test('marks what the API leaves open', () => {
		expect(schema('Error').description).toEqual(ownChoice);
		const created = at('paths', collectionRequests, 'post', 'responses', '201');
		expect(created.description).toEqual(ownChoice);
		expect(at('webhooks', 'collection_request.updated', 'post').description).toEqual(ownChoice);
	});

	test('is also there as a page', async () => {
		const { status, headers } = await service.ask('/docs/');
		expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
	});
});

describe('answers are what the OpenAPI document says', () => {
	async function checkState(id: string) {
		const state = await service.ask(`/sandbox/requests/${id}`);
		expectAnswer(state, 200, 'get', '/sandbox/requests/{id}');
		const read = await service.read(`collection-request/${id}`);
		const { shareStatus, shareId } = expectAnswer(read, 200, 'get', collectionRequest);
		if (typeof shareId !== 'string') return [shareStatus, undefined];
		const share = await service.read(`share/${shareId}`);
		return [shareStatus, expectAnswer(share, 200, 'get', '/di/share/{id}').status];
	}

	test('before a share, while open, and when completed', async () => {
		const created = await service.create({
			templateId: 'delivery',
			minimumParticipants: 2,
			participantList: [{ email: 'ann@example.com', isAdmin: true }, { name: 'No email address' }],
		});
		const id = String(expectAnswer(created, 201, 'post', collectionRequests)._id);
		const states = [await checkState(id)];
		for (const email of ['ann@example.com', 'ben@example.com']) {
			await service.submit(id, email);
			states.push(await checkState(id));
		}
		expect(states).toEqual([
			['open', undefined],
			['open', 'open'],
			['completed', 'completed'],
		]);
	});

	test('errors', async () => {
		const unknown = 'collection-request/x';
		expectAnswer(await service.ask(`/di/${unknown}`), 401, 'get', collectionRequest);
		expectAnswer(await service.read(unknown), 404, 'get', collectionRequest);
		expectAnswer(await service.create({}), 400, 'post', collectionRequests);
	});

	test('notifications, with and without an identifier', async () => {
		const receiver = await startReceiver({ status: 200 });
		for (const identifier of [{ webhookIdentifier: 'mine' }, {}]) {
			const requestId = await service.newRequest({ ...receiver.webhook, ...identifier });
			await service.submit(requestId, 'ann@example.com');
		}
		for (const { body } of await receiver.take(4)) {
			expectValid(JSON.parse(body.toString()), 'components', 'schemas', 'Notification');
		}
	});

	test('calls and the list of requests', async () => {
		for (const path of ['/sandbox/requests', '/sandbox/calls']) {
			expectAnswer(await service.ask(path), 200, 'get', path);
		}
	});
});
