import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { spawnSync } from 'node:child_process';
import { apiDocument } from '../../sandbox/service/apiDocument.mts';
import { ROOT, section, tableRows, textFile } from '../support/markdown.mts';
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

/** Follows property names into the document, resolving each `$ref`; returns an object. */
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

/** Checks the status, and the body against the document; returns the body. */
function expectAnswer(answer: Answer, status: number, method: string, path: string): Json {
	expect(answer.status).toBe(status);
	const media = ['responses', String(status), 'content', 'application/json', 'schema'];
	expectValid(JSON.parse(answer.text), 'paths', path, method, ...media);
	return answer.json;
}

const collectionRequests = '/di/collection-request/';
const collectionRequest = '/di/collection-request/{id}';

/** Types that docs/service-api.md and JSON Schema name differently. */
const ownWords: Record<string, string> = {
	timestamp: 'string',
	null: 'string,null',
	// Only the sandbox insists on whole numbers.
	number: 'integer',
};

/** The fields of the table under a heading of docs/service-api.md, each with its type. */
function fieldsUnder(heading: string) {
	const [own = ''] = section(textFile('docs/service-api.md'), heading).split('\n### ');
	const typed = tableRows(own).map(([field = '', type = '']) => {
		const [word = ''] = type.split(' ');
		return [field.slice(1, -1), ownWords[word] ?? word];
	});
	return Object.fromEntries(typed) as Record<string, string>;
}

const allOf = (type: string, ...fields: string[]) =>
	Object.fromEntries(fields.map((field) => [field, type]));

const resources = {
	CollectionRequest: fieldsUnder('Collection request'),
	'CollectionRequest.template': allOf('string', '_id', 'purpose'),
	Share: fieldsUnder('Share'),
	'Share.template': allOf('string', '_id', 'purpose', 'type'),
	Participant: fieldsUnder('Participant'),
	'Participant.accountSnapshot': {
		...allOf('string', '_id', 'name'),
		...allOf('string,null', 'displayPictureUrl', 'email', 'parentAccountId', 'phoneNumber'),
	},
	OtherField: fieldsUnder('Answer'),
	UpdateLog: fieldsUnder('Update log'),
	'UpdateLog.updatedByAccountSnapshot': allOf('string', 'name'),
	CreateCollectionRequestDto: fieldsUnder('Create body'),
	ParticipantDetails: fieldsUnder('Invited participant'),
	Notification: fieldsUnder('Payload'),
};

describe('the OpenAPI document', () => {
	const schema = (name: string, ...path: string[]) => at('components', 'schemas', name, ...path);
	const ownChoice = textLike(/The sandbox's own choice/);

	test.each(Object.entries(resources))('describes every field of %s', (resource, fields) => {
		const [name = '', nested] = resource.split('.');
		const path = nested === undefined ? [] : ['properties', nested];
		const found = Object.entries(schema(name, ...path, 'properties')).map(([field, value]) => {
			const { type, description } = resolve(value);
			expect({ field, description }).toEqual({ field, description: anyText });
			return [field, String(type)];
		});
		expect(Object.fromEntries(found)).toEqual(fields);
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
		expect(at('components', 'securitySchemes')).toMatchObject({
			apiKey: { type: 'http', scheme: 'bearer' },
			tokenId: { type: 'apiKey', in: 'header', name: 'tokenId' },
		});
		const paths = [collectionRequest, '/di/share/{id}'].map((path) => at('paths', path, 'get'));
		for (const { security } of [at('paths', collectionRequests, 'post'), ...paths]) {
			expect(security).toEqual([{ apiKey: [], tokenId: [] }]);
		}
	});

	test('has the event, the five headers and the payload of the webhook request', () => {
		const webhook = at('webhooks', 'collection_request.updated', 'post');
		const headers = listOf(webhook.parameters).filter((parameter) => parameter.in === 'header');
		const documented = Object.keys(fieldsUnder('Delivery'));
		expect(headers.map(({ name }) => name)).toEqual(documented);
		const schema = { $ref: '#/components/schemas/Notification' };
		const content = { 'application/json': { schema } };
		expect(webhook.requestBody).toEqual({ required: true, content });
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

describe('the file in docs/', () => {
	const FILE = 'docs/service-api.openapi.json';
	const kept = JSON.parse(textFile(FILE)) as Json;

	test('is what the sandbox says of the service', () => {
		const made = apiDocument(openApi);
		const advice = `Write ${FILE} anew: npx node sandbox/service/apiDocument.mts`;
		expect(JSON.stringify(made) === JSON.stringify(kept) || advice).toBe(true);
	});

	test('is accepted by a validator of OpenAPI 3.1', () => {
		const { stdout } = spawnSync('npx', ['validate-api', FILE], { cwd: ROOT, encoding: 'utf8' });
		expect(JSON.parse(stdout)).toEqual({ valid: true });
	});

	test('has the service and nothing of the sandbox', () => {
		expect(Object.keys(kept.paths as Json)).toEqual([
			'/di/collection-request/',
			'/di/collection-request/{id}',
			'/di/share/{id}',
		]);
		expect(textFile(FILE)).not.toMatch(/sandbox|own choice|localhost|127\.0\.0\.1/i);
		const { schemas } = kept.components as { schemas: Json };
		expect(Object.keys(schemas)).not.toContain('Error');
	});

	test('says of what is unknown that it is, and of nothing else', () => {
		const wrong: unknown[] = [];
		const look = (node: unknown) => {
			if (!isObject(node)) return;
			const says = /\bunknown\b/i.test(
				typeof node.description === 'string' ? node.description : '',
			);
			if (says !== (node['x-unknown'] ?? false)) wrong.push(node);
			Object.values(node).forEach(look);
		};
		look(kept);
		expect(wrong).toEqual([]);
	});
});
