import { Ajv } from 'ajv';
import type { IDataObject } from 'n8n-workflow';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '../../nodes/DataCollection/actions/router.ts';
import { delivery } from './support/delivery.mts';
import { runAction, runOk } from './support/engine.mts';
import { json, withFaultServer } from './support/faultServer.mts';
import { textOf } from './support/matchers.mts';
import { sandboxOf } from './support/sandbox.mts';
import type { Service } from './support/service.mts';
import { startService } from './support/service.mts';
import { startTriggerHost } from './support/triggerHost.mts';

// What the editor shows of a node's output before the node has run, and offers for dragging.

const FOLDER = join(import.meta.dirname, '../../nodes/DataCollection/__schema__');

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

const schemaOf = (path: string) =>
	JSON.parse(readFileSync(join(FOLDER, `${path}.json`), 'utf8')) as Schema;

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

function expectExactly(item: IDataObject, path: string): void {
	const { version, ...schema } = schemaOf(path) as Schema & { version: number };
	expect(version).toBe(1);
	const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
	ajv.validate(exactly(schema), item);
	expect(ajv.errors ?? []).toEqual([]);
}

let service: Service;
const sandbox = sandboxOf(() => service);
beforeAll(async () => {
	service = await startService();
});
afterAll(() => service.stop());

const run = async (resource: string, operation: string, parameters: IDataObject) =>
	await runOk(sandbox.action({ resource, operation, ...parameters } as never));

const create = async () =>
	await run('collectionRequest', 'create', {
		templateId: 't1',
		participantsMode: 'json',
		participantsJson: '[{ "email": "ada@example.com" }]',
	});

async function completed(): Promise<string> {
	const { _id } = await create();
	await sandbox.complete(textOf(_id));
	return textOf(_id);
}

test('every operation has one', () => {
	for (const [resource, operations] of Object.entries(resources)) {
		for (const operation of Object.keys(operations)) {
			const path = `v1.0.0/${resource}/${operation}`;
			expect([path, existsSync(join(FOLDER, `${path}.json`))]).toEqual([path, true]);
		}
	}
});

test('Create gives what its schema says', async () => {
	expectExactly(await create(), 'v1.0.0/collectionRequest/create');
});

test('Get gives what its schema says', async () => {
	const item = await run('collectionRequest', 'get', { requestId: await completed() });
	expectExactly(item, 'v1.0.0/collectionRequest/get');
});

test('Get Guest Link gives what its schema says', async () => {
	const item = await run('collectionRequest', 'getGuestLink', { requestId: 'r1' });
	expectExactly(item, 'v1.0.0/collectionRequest/getGuestLink');
});

test('Share > Get gives what its schema says', async () => {
	const parameters = { shareBy: 'requestId', requestId: await completed() };
	expectExactly(await run('share', 'get', parameters), 'v1.0.0/share/get');
});

test('Share > Get Answers gives what its schema says', async () => {
	const { requestId, guestLink } = await create();
	const headers = { accept: 'application/json', 'content-type': 'application/json' };
	const answers = { 'Delivery address': '1 Main Street' };
	const body = JSON.stringify({ name: 'Ada', email: 'ada@example.com', answers });
	const joined = await fetch(textOf(guestLink), { method: 'POST', headers, body });
	expect(joined.status).toBe(200);
	const parameters = { requestId: textOf(requestId) };
	const { json: rows } = await runAction(
		sandbox.action({ resource: 'share', operation: 'getAnswers', ...parameters }),
	);
	expect(rows.length).toBeGreaterThan(0);
	for (const row of rows) expectExactly(row, 'v1.0.0/share/getAnswers');
});

test('Get Participants gives what its schema says', async () => {
	const { requestId } = await create();
	const parameters = { requestId: textOf(requestId) };
	const { json: people } = await runAction(
		sandbox.action({ resource: 'collectionRequest', operation: 'getParticipants', ...parameters }),
	);
	expect(people).toHaveLength(1);
	for (const person of people) expectExactly(person, 'v1.0.0/collectionRequest/getParticipants');
});

test('the trigger gives what its schema says', async () => {
	const host = await startTriggerHost();
	await host.post(delivery());
	await host.stop();
	expectExactly(host.started[0] ?? {}, 'v1.1.0');
});

test('Send Test gives what its schema says', async () => {
	const respond = json(200, { status: 'accepted' });
	const item = await withFaultServer(
		respond,
		async ({ url }) =>
			await run('notification', 'sendTest', {
				webhookUrl: url,
				requestId: 'r1',
				webhookIdentifier: 'w1',
			}),
	);
	expectExactly(item, 'v1.0.0/notification/sendTest');
});

test("Verify gives the trigger's item", () => {
	expect(schemaOf('v1.0.0/notification/verify')).toEqual(schemaOf('v1.1.0'));
});

test('Wait gives what Get gives, the notification, and whether time ran out', () => {
	const { notification, timedOut, ...rest } =
		schemaOf('v1.0.0/collectionRequest/wait').properties ?? {};
	expect(timedOut).toEqual({ type: 'boolean' });
	expect(rest).toEqual(schemaOf('v1.0.0/collectionRequest/get').properties);
	const { guestLink, notifiedAt, ...notified } = schemaOf('v1.1.0').properties ?? {};
	expect([guestLink, notifiedAt]).toEqual([{ type: 'string' }, { type: 'string' }]);
	expect(notification).toEqual({ type: 'object', properties: notified });
});
