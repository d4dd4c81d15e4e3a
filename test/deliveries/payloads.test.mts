import assert from 'node:assert/strict';
import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { payload, signed, withHeader } from '../support/delivery.mts';
import { openRest } from '../support/environment.mts';
import { createTrigger, type Trigger } from '../support/trigger.mts';
import { setNode } from '../support/workflows.mts';

const nested = (depth: number) => {
	const text = JSON.stringify(payload({ deep: '#' }));
	return text.replace('"#"', '['.repeat(depth) + ']'.repeat(depth));
};

/** Verified, but no notification. */
const malformed: Array<[title: string, body: () => string]> = [
	['W17 1,000 levels deep', () => nested(1_000)],
	['W17 100,000 levels deep', () => nested(100_000)],
	['W22 no requestId', () => JSON.stringify(payload({ requestId: undefined }))],
	['W22 requestId is a number', () => JSON.stringify(payload({ requestId: 42 }))],
	['W22 requestId is an object', () => JSON.stringify(payload({ requestId: {} }))],
	['W22 requestId is null', () => JSON.stringify(payload({ requestId: null }))],
	['W22 requestId is empty', () => JSON.stringify(payload({ requestId: '' }))],
	...['null', '[]', '"x"', '1', '{}'].map((body): [string, () => string] => [
		`W23 the body is ${body}`,
		() => body,
	]),
	['W24 the body is empty', () => ''],
];

/** A line of the item, by what the body says. */
const passedOn: Array<[title: string, changes: Json, expected: Json]> = [
	['W18 unknown fields', { extra: { a: [1, null] } }, { extra: { a: [1, null] } }],
	['W19 an unknown shareStatus', { shareStatus: 'paused' }, { shareStatus: 'paused' }],
	['W21 no webhookIdentifier', { webhookIdentifier: undefined }, { webhookIdentifier: undefined }],
	['W21 webhookIdentifier is null', { webhookIdentifier: null }, { webhookIdentifier: null }],
];

describe('what a payload says', () => {
	let trigger: Trigger;
	let anyEvent: Trigger;
	beforeAll(async () => {
		const rest = openRest();
		trigger = await createTrigger({
			rest,
			name: 'E2E payloads',
			then: [setNode('Edit Fields', 'copied', '={{ $json.requestId }}')],
		});
		const parameters = { triggerOn: 'anyEvent' };
		anyEvent = await createTrigger({ rest, name: 'E2E any event', parameters });
	});

	for (const [title, changes, expected] of passedOn) {
		test(`${title}: accepted and passed on`, async () => {
			const body = payload(changes);
			const item = await trigger.accepts(signed({ secret: trigger.secret, body }));
			for (const [name, value] of Object.entries(expected)) assert.deepEqual(item[name], value);
		});
	}

	for (const [title, body] of malformed) {
		test(`${title}: 400`, async () => {
			const delivery = signed({ secret: trigger.secret, body: body() });
			await trigger.refuses(delivery, 'malformed', { logs: 'Delivery refused (malformed)' });
		});
	}

	test('W16 keys that every object inherits: dropped, the next node works', async () => {
		const hostile =
			'"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},' +
			'"hasOwnProperty":1,"toString":"x","nested":{"__proto__":{"polluted":1},"kept":1}';
		const fields = payload();
		const body = JSON.stringify(fields).replace('{', `{${hostile},`);
		const execution = await trigger.runs(signed({ secret: trigger.secret, body }));
		const [item = {}] = outputOf(execution, 'Edit Fields');
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
		const body = () => payload({ event: 'collection_request.archived' });
		await trigger.refuses(signed({ secret: trigger.secret, body: body() }), 'filtered');
		const item = await anyEvent.accepts(signed({ secret: anyEvent.secret, body: body() }));
		assert.equal(item.event, 'collection_request.archived');
	});

	test('W25 invalid JSON as application/json: n8n itself answers 422', async () => {
		const delivery = signed({ secret: trigger.secret, body: '{"requestId":"marker-w25",}' });
		const text = await trigger.rejects(delivery, 'unreadable');
		assert.equal(text.includes('marker-w25'), false, text);
	});

	test('W26 invalid JSON as text/plain: 400', async () => {
		const delivery = signed({ secret: trigger.secret, body: '{"requestId":"marker-w26",}' });
		await trigger.refuses(withHeader(delivery, 'Content-Type', 'text/plain'), 'malformed', {
			logs: 'Delivery refused (malformed)',
		});
	});
});
