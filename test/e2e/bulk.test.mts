import assert from 'node:assert/strict';
import { failureOf, outputOf } from '../../sandbox/n8n/types.mts';
import type { Credential, Execution, Json } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { openRest } from '../support/environment.mts';
import { openFront, type Front, type FrontCall } from '../support/front.mts';
import { createEach, indexes, nodeName, runNode } from '../support/runNode.mts';

const count = 200;
const concurrency = 25;
const atATime = 50;

describe(`${count} collection requests at once`, () => {
	const rest = openRest();
	let front: Front;
	let credential: Credential;
	beforeAll(async () => {
		front = await openFront();
		credential = await createCredential(rest, 'E2E bulk', { productionBaseUrl: front.url });
	});
	afterAll(() => front.close());

	const templateOf = ({ body }: FrontCall) => String(body.templateId);
	const run = async (name: string): Promise<Execution> => {
		const parameters = { ...createEach, options: { concurrency } };
		const execution = await runNode({ rest, name, credential, parameters, items: indexes(count) });
		assert.equal(execution.status, 'success', failureOf(execution));
		return execution;
	};
	/** One output item for each input item, in order, and one request at the service for each. */
	const assertAll = (execution: Execution, accepted: FrontCall[]) => {
		assert.equal(new Set(accepted.map(templateOf)).size, count);
		assert.equal(accepted.length, count);
		const nodeRun = execution.data.resultData.runData[nodeName]?.at(-1);
		const items = (nodeRun?.data?.main?.[0] ?? []) as Array<{ json: Json; pairedItem: Json }>;
		assert.equal(items.length, count);
		for (const [index, { json, pairedItem }] of items.entries()) {
			assert.equal((json.template as Json)._id, `template-${index}`);
			assert.equal(pairedItem.item, index);
		}
		const ids = outputOf(execution, nodeName).map(({ requestId }) => requestId);
		assert.equal(new Set(ids).size, count);
		for (const id of ids) assert.equal(typeof id, 'string');
	};

	test('each is created once, in order', async () => {
		let underWay = 0;
		let most = 0;
		front.decide = () => {
			most = Math.max(most, ++underWay);
			return undefined;
		};
		front.before = async () => await Promise.resolve(underWay--);
		const execution = await run('E2E bulk');
		assert.ok(most <= concurrency, `${most} at once`);
		assertAll(execution, front.seen);
	});

	test(`${atATime}, then none for a second: each is created once all the same`, async () => {
		front.seen.length = 0;
		front.before = undefined;
		const accepted: FrontCall[] = [];
		let closedUntil = 0;
		// Not so many a second: a slow machine would never reach that.
		front.decide = (call) => {
			if (call.at < closedUntil) {
				return { status: 429, body: { message: 'slow down' }, headers: { 'retry-after': '1' } };
			}
			accepted.push(call);
			if (accepted.length % atATime === 0) closedUntil = call.at + 1000;
			return undefined;
		};
		const execution = await run('E2E bulk, limited');
		const refused = front.seen.length - count;
		assert.ok(refused > 0, 'the limit was reached');
		assertAll(execution, accepted);
	});
});
