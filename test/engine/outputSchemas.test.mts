import { Ajv } from 'ajv';
import type { IDataObject } from 'n8n-workflow';
import { resources } from '../../nodes/DataCollection/actions/router.ts';
import { signed } from '../../sandbox/testing/delivery.mts';
import { textFile } from '../support/markdown.mts';
import { textOf } from '../support/matchers.mts';
import { startService, type Service } from '../support/service.mts';
import { runAction } from './support/engine.mts';
import { json, startFaultServer } from './support/faultServer.mts';
import { CREATE } from './support/operations.mts';
import { deliver } from './support/triggerHost.mts';
import { useVirtualTime } from './support/virtualTime.mts';
import { ACCEPTED, waiting } from './support/waiting.mts';

// What the editor shows as a node's output before it has run, and offers for dragging.

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

function schemaOf(path: string): Schema {
	const file = textFile(`nodes/DataCollection/__schema__/${path}.json`);
	const { version, ...schema } = JSON.parse(file) as Schema & { version: number };
	expect(version).toBe(1);
	return schema;
}

/** The same schema, but with exactly its properties, and null allowed wherever text is. */
function exactly({ type, properties = {}, items }: Schema): object {
	if (items !== undefined) return { type, items: exactly(items) };
	const each = Object.entries(properties).map(([name, inner]) => [name, exactly(inner)] as const);
	if (each.length === 0) return { type: type === 'string' ? ['string', 'null'] : type };
	return {
		type,
		properties: Object.fromEntries(each),
		required: Object.keys(properties),
		additionalProperties: false,
	};
}

function expectExactly(items: IDataObject[], schema: Schema): void {
	expect(items.length).toBeGreaterThan(0);
	const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
	for (const item of items) {
		ajv.validate(exactly(schema), item);
		expect(ajv.errors ?? []).toEqual([]);
	}
}

let service: Service;
beforeAll(async () => {
	service = await startService();
});
afterAll(() => service.stop());

async function run(parameters: typeof CREATE & Record<string, unknown>): Promise<IDataObject[]> {
	const credential = { productionBaseUrl: service.url, productionCollectUrl: service.url };
	const { json: items, error } = await runAction({ parameters: parameters as never, credential });
	expect(error).toBeUndefined();
	return items;
}

const operations = Object.entries(resources).flatMap(([resource, ofResource]) =>
	Object.keys(ofResource)
		.filter((operation) => !['create', 'wait', 'verify'].includes(operation))
		.map((operation) => [resource, operation] as const),
);

test.each(operations)('%s/%s gives what its schema says', async (resource, operation) => {
	const ada = { name: 'Ada', email: 'ada@example.com' };
	const create = { ...CREATE, participants: { participant: [ada] } };
	const [{ requestId, guestLink } = {}] = await run(create);
	const submitted = await fetch(textOf(guestLink), {
		method: 'POST',
		headers: { accept: 'application/json', 'content-type': 'application/json' },
		body: JSON.stringify({ ...ada, answers: { 'Delivery address': '1 Main Street' } }),
	});
	expect(submitted.status).toBe(200);
	const { url: webhookUrl } = await startFaultServer(json(200, { status: 'accepted' }));
	const needed = { requestId, webhookUrl, webhookIdentifier: 'w1' };
	const items = await run({ ...create, ...needed, resource, operation });
	expectExactly(items, schemaOf(`v1.0.0/${resource}/${operation}`));
});

test('the schema of Create has the fields of a participant, and what the API promises of a response', async () => {
	const answer = json(201, { _id: 'r1' });
	const ada = { name: 'Ada', email: 'a@example.com', phoneNumber: '+41 1', isAdmin: true };
	const parameters = { ...CREATE, participants: { participant: [ada] } };
	const [both = {}, request = {}] = await Promise.all(
		['participants', 'collectionRequest'].map(async (output) => {
			const { json: items } = await runAction({ parameters: { ...parameters, output }, answer });
			return items[0];
		}),
	);
	const item = { ...both, ...request };
	const schema = schemaOf('v1.0.0/collectionRequest/create');
	expectExactly([item], schema);
	expect(Object.keys(schema.properties ?? {})).toEqual(Object.keys(item));
});

test('the trigger gives what its schema says', async () => {
	expectExactly((await deliver([signed()])).started, schemaOf('v1.1.0'));
});

test("Verify gives the trigger's item", () => {
	expect(schemaOf('v1.0.0/notification/verify')).toEqual(schemaOf('v1.1.0'));
});

describe('with virtual time', () => {
	useVirtualTime();

	test('Wait gives what its schema says when a notification ends it', async () => {
		const ada = { name: 'Ada', email: 'ada@example.com' };
		const [{ requestId = '' } = {}] = await run({
			...CREATE,
			participants: { participant: [ada] },
		});
		const id = textOf(requestId);
		const [{ requestId: _id, guestLink, ...request } = {}] = await run({
			...CREATE,
			operation: 'get',
			requestId,
		});
		const status = (shareStatus: string) => json(200, { ...request, shareId: 's1', shareStatus });
		const statuses = { [id]: status('open') };
		const begun = await waiting([id], { statuses });
		begun.statuses[id] = status('completed');
		expect(await begun.notify({ requestId: id })).toBe(ACCEPTED);
		expectExactly(begun.started, schemaOf('v1.0.0/collectionRequest/wait'));
	});
});
