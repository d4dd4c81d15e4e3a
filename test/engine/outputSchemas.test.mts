import { Ajv } from 'ajv';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '../../nodes/DataCollection/actions/router.ts';
import { signed } from '../support/delivery.mts';
import { runAction } from './support/engine.mts';
import { json, startFaultServer } from './support/faultServer.mts';
import { textOf } from '../support/matchers.mts';
import { useSandbox } from './support/sandbox.mts';
import { deliver } from './support/triggerHost.mts';

// What the editor shows of a node's output before the node has run, and offers for dragging.

const FOLDER = join(import.meta.dirname, '../../nodes/DataCollection/__schema__');

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

const fileOf = (path: string) => join(FOLDER, `${path}.json`);
const schemaOf = (path: string) => JSON.parse(readFileSync(fileOf(path), 'utf8')) as Schema;

/** The same with each property it names present, no other one, and null wherever a text may be. */
function exactly({ type, properties, items }: Schema): object {
	if (items !== undefined) return { type, items: exactly(items) };
	const names = Object.keys(properties ?? {});
	if (names.length === 0) return { type: type === 'string' ? ['string', 'null'] : type };
	const each = names.map((name) => [name, exactly(properties?.[name] ?? { type: 'null' })]);
	return {
		type,
		properties: Object.fromEntries(each) as object,
		required: names,
		additionalProperties: false,
	};
}

function expectExactly(items: IDataObject[], path: string): void {
	const { version, ...schema } = schemaOf(path) as Schema & { version: number };
	expect(version).toBe(1);
	expect(items.length).toBeGreaterThan(0);
	const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
	for (const item of items) {
		ajv.validate(exactly(schema), item);
		expect(ajv.errors ?? []).toEqual([]);
	}
}

const sandbox = useSandbox();

async function run(path: string, parameters: INodeParameters): Promise<IDataObject[]> {
	const [resource = '', operation = ''] = path.split('/');
	const action = sandbox.action({ resource, operation, ...parameters });
	const { json: items, error } = await runAction(action);
	expect(error).toBeUndefined();
	return items;
}

const complete = async ({ requestId }: IDataObject) => await sandbox.complete(textOf(requestId));

async function answer({ guestLink }: IDataObject): Promise<void> {
	const headers = { accept: 'application/json', 'content-type': 'application/json' };
	const answers = { 'Delivery address': '1 Main Street' };
	const body = JSON.stringify({ name: 'Ada', email: 'ada@example.com', answers });
	const joined = await fetch(textOf(guestLink), { method: 'POST', headers, body });
	expect(joined.status).toBe(200);
}

test('every operation has one', () => {
	for (const [resource, operations] of Object.entries(resources)) {
		for (const operation of Object.keys(operations)) {
			const path = `v1.0.0/${resource}/${operation}`;
			expect([path, existsSync(fileOf(path))]).toEqual([path, true]);
		}
	}
});

test.each<[string, ((created: IDataObject) => Promise<unknown>)?]>([
	['collectionRequest/create'],
	['collectionRequest/get', complete],
	['collectionRequest/getGuestLink'],
	['collectionRequest/getParticipants'],
	['share/get', complete],
	['share/getAnswers', answer],
	['notification/sendTest'],
])('%s gives what its schema says', async (path, prepare = async () => {}) => {
	const participants = { participant: [{ email: 'ada@example.com' }] };
	const create = { templateId: 't1', participants };
	const [created = {}] = await run('collectionRequest/create', create);
	await prepare(created);
	const { url: webhookUrl } = await startFaultServer(json(200, { status: 'accepted' }));
	const requestId = textOf(created.requestId);
	const parameters = { ...create, requestId, webhookUrl, webhookIdentifier: 'w1' };
	expectExactly(await run(path, parameters), `v1.0.0/${path}`);
});

test('the trigger gives what its schema says', async () => {
	expectExactly((await deliver([signed()])).started, 'v1.1.0');
});

test("Verify gives the trigger's item", () => {
	expect(schemaOf('v1.0.0/notification/verify')).toEqual(schemaOf('v1.1.0'));
});

test('Wait gives what Get gives, the notification, and whether time ran out', () => {
	const wait = schemaOf('v1.0.0/collectionRequest/wait').properties;
	const { notification, timedOut, ...rest } = wait ?? {};
	expect(timedOut).toEqual({ type: 'boolean' });
	expect(rest).toEqual(schemaOf('v1.0.0/collectionRequest/get').properties);
	const { guestLink, notifiedAt, ...notified } = schemaOf('v1.1.0').properties ?? {};
	expect([guestLink, notifiedAt]).toEqual([{ type: 'string' }, { type: 'string' }]);
	expect(notification).toEqual({ type: 'object', properties: notified });
});
