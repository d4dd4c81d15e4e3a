import assert from 'node:assert/strict';
import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { itemOf, payload, withHeader } from '../support/delivery.mts';
import { serviceUrl } from '../support/environment.mts';
import { createTrigger } from '../support/trigger.mts';
import { setNode } from '../support/workflows.mts';

const trigger = await createTrigger({
	name: 'E2E payloads',
	then: [setNode('Edit Fields', 'copied', '={{ $json.requestId }}')],
});

test.each<[title: string, changes: Json]>([
	['W18 unknown fields', { extra: { a: [1, null] } }],
	['W19 an unknown shareStatus', { shareStatus: 'paused' }],
	['W21 no webhookIdentifier', { webhookIdentifier: undefined }],
	['W21 webhookIdentifier is null', { webhookIdentifier: null }],
])('%s: accepted and passed on', async (_title, changes) => {
	const delivery = trigger.good(payload(changes));
	const sent = JSON.parse(delivery.body.toString()) as ReturnType<typeof payload>;
	assert.deepEqual(await trigger.accepts(delivery), itemOf(delivery, sent, serviceUrl));
});

const without = (requestId: unknown) => JSON.stringify(payload({ requestId }));
const nested = (depth: number) => {
	const text = JSON.stringify(payload({ deep: '#' }));
	return text.replace('"#"', '['.repeat(depth) + ']'.repeat(depth));
};
const notAnObject = ['null', '[]', '"x"', '1', '{}'].map((body): [string, string] => [
	`W23 the body is ${body}`,
	body,
]);

/** Verified, but no notification. */
test.each<[title: string, body: string]>([
	['W17 1,000 levels deep', nested(1_000)],
	['W17 100,000 levels deep', nested(100_000)],
	['W22 no requestId', without(undefined)],
	['W22 requestId is a number', without(42)],
	['W22 requestId is an object', without({})],
	['W22 requestId is null', without(null)],
	['W22 requestId is empty', without('')],
	...notAnObject,
	['W24 the body is empty', ''],
])('%s: 400', async (_title, body) => {
	await trigger.refuses(trigger.good(body), 'malformed');
});

test('W16 keys that every object inherits: dropped, the next node works', async () => {
	const hostile =
		'"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},' +
		'"hasOwnProperty":1,"toString":"x","nested":{"__proto__":{"polluted":1},"kept":1}';
	const fields = payload();
	const body = JSON.stringify(fields).replace('{', `{${hostile},`);
	const [item = {}] = outputOf(await trigger.runs(trigger.good(body)), 'Edit Fields');
	assert.equal(item.copied, fields.requestId);
	assert.deepEqual(item.nested, { kept: 1 });
	for (const name of ['__proto__', 'constructor', 'hasOwnProperty', 'toString']) {
		assert.equal(Object.hasOwn(item, name), false, name);
	}
	// n8n's own process is unharmed too: the next run's item has no inherited field.
	const [next = {}] = outputOf(await trigger.runs(trigger.good()), 'Edit Fields');
	assert.equal(next.polluted, undefined);
});

test('W20 an unknown event: filtered, or accepted by a trigger for any event', async () => {
	const parameters = { triggerOn: 'anyEvent' };
	const anyEvent = await createTrigger({ name: 'E2E any event', parameters });
	const event = 'collection_request.archived';
	await trigger.refuses(trigger.good(payload({ event })), 'filtered');
	assert.equal((await anyEvent.accepts(anyEvent.good(payload({ event })))).event, event);
});

test('W25 invalid JSON as application/json: n8n itself answers 422', async () => {
	const text = await trigger.refuses(trigger.good('{"requestId":"marker-w25",}'), 'unreadable');
	assert.equal(text.includes('marker-w25'), false, text);
});

test('W26 invalid JSON as text/plain: 400', async () => {
	const delivery = trigger.good('{"requestId":"marker-w26",}');
	await trigger.refuses(withHeader(delivery, 'Content-Type', 'text/plain'), 'malformed');
});
