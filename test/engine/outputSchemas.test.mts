import { Ajv } from 'ajv';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { resources } from '../../nodes/DataCollection/actions/router.ts';
import { signed } from '../support/delivery.mts';
import { textFile } from '../support/markdown.mts';
import { textOf } from '../support/matchers.mts';
import { openService, type Service } from '../support/service/service.mts';
import { runAction } from './support/engine.mts';
import { json, startFaultServer } from './support/faultServer.mts';
import { deliver } from './support/triggerHost.mts';
import { wait } from './support/waitNode.mts';

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

/** Who was invited, if that is known: see invitees.test.mts. */
const OWNER = ['name', 'email', 'phoneNumber', 'group'];

/** The same schema, but with exactly its properties, and null allowed wherever text is. */
function exactly({ type, properties = {}, items }: Schema, optional: string[] = []): object {
	if (items !== undefined) return { type, items: exactly(items) };
	const each = Object.entries(properties).map(([name, inner]) => [name, exactly(inner)] as const);
	if (each.length === 0) return { type: type === 'string' ? ['string', 'null'] : type };
	return {
		type,
		properties: Object.fromEntries(each),
		required: Object.keys(properties).filter((name) => !optional.includes(name)),
		additionalProperties: false,
	};
}

function expectExactly(items: IDataObject[], schema: Schema, optional?: string[]): void {
	expect(items.length).toBeGreaterThan(0);
	const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
	for (const item of items) {
		ajv.validate(exactly(schema, optional), item);
		expect(ajv.errors ?? []).toEqual([]);
	}
}

let service: Service;
beforeAll(async () => {
	service = await openService();
});

async function run(parameters: INodeParameters): Promise<IDataObject[]> {
	const credential = { productionBaseUrl: service.url, productionCollectUrl: service.url };
	const { json: items, error } = await runAction({ parameters, credential });
	expect(error).toBeUndefined();
	return items;
}

const operations = Object.entries(resources).flatMap(([resource, ofResource]) =>
	Object.keys(ofResource)
		.filter((operation) => !['create', 'getPeopleToRemind', 'verify', 'wait'].includes(operation))
		.map((operation) => [resource, operation] as const),
);

const ADA = { name: 'Ada', email: 'ada@example.com' };
const create = {
	resource: 'collectionRequest',
	operation: 'create',
	templateId: 't1',
	participants: { participant: [ADA] },
};

/** Creates a collection request that its only participant has completed; returns its ID. */
async function completed(): Promise<string> {
	const [{ requestId } = {}] = await run(create);
	service.submit(requestId, ADA, '1 Main Street');
	return textOf(requestId);
}

test.each(operations)('%s/%s gives what its schema says', async (resource, operation) => {
	const requestId = await completed();
	const { url: webhookUrl } = await startFaultServer(json(200, { status: 'accepted' }));
	const options = operation === 'sendTest' ? { webhookIdentifier: 'w1' } : {};
	const needed = { requestId, webhookUrl, options };
	const [{ ...item } = {}] = await run({ ...create, ...needed, resource, operation });
	if (operation === 'getAnswers') {
		// The form decides on these.
		expect(item['Delivery address']).toBe('1 Main Street');
		for (const label of ['Delivery address', 'Remarks']) delete item[label];
	}
	const optional = operation === 'getParticipants' ? ['group'] : OWNER;
	expectExactly([item], schemaOf(`v1.1.0/${resource}/${operation}`), optional);
});

test('the schema of Create has the fields of a participant, and what the API promises of a response', async () => {
	const answer = json(201, { _id: 'r1' });
	const item: IDataObject = {};
	for (const output of ['participants', 'collectionRequest']) {
		const { json: items } = await runAction({ parameters: { ...create, output }, answer });
		Object.assign(item, items[0]);
	}
	const schema = schemaOf('v1.1.0/collectionRequest/create');
	expectExactly([item], schema);
	expect(Object.keys(schema.properties ?? {})).toEqual(Object.keys(item));
});

test('Get People to Remind gives what its schema says of a person', async () => {
	const [{ requestId } = {}] = await run(create);
	const toRemind = { resource: 'collectionRequest', operation: 'getPeopleToRemind' };
	const items = await run({ ...toRemind, requestId: textOf(requestId) });
	expectExactly(items, schemaOf('v1.1.0/collectionRequest/getPeopleToRemind'), ['group']);
});

test('the trigger gives what its schema says', async () => {
	expectExactly((await deliver([signed()])).started, schemaOf('v1.1.0'));
});

test('Verify gives what its schema says', async () => {
	const { headers, body } = signed();
	const item = {
		json: {
			headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
		},
		binary: { data: { data: body.toString('base64'), mimeType: 'application/json' } },
	};
	const parameters = { resource: 'notification', operation: 'verify' };
	const { json: items } = await runAction({ parameters, items: [item] });
	expectExactly(items, schemaOf('v1.1.0/notification/verify'));
});

test('the schema of Wait has only the fields that both of its outputs have', async () => {
	const done = await wait({ a: 'completed' }, ['a']);
	const open = await wait({ a: 'open' }, ['a'], { limitWaitTime: true });
	const names = Object.keys(schemaOf('v1.1.0/collectionRequest/wait').properties ?? {});
	expect(Object.keys(open.timedOut?.[0]?.json ?? {})).toEqual(names);
	expect(Object.keys(done.json[0] ?? {})).toEqual(expect.arrayContaining(names));
});
