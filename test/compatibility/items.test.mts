import assert from 'node:assert/strict';
import { failureOf, outputOf } from '../../sandbox/n8n/types.mts';
import type { Credential, Execution, Json } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { openFront, type Decision, type Front } from '../support/front.mts';
import { createEach, indexes, nodeName, runNode } from '../support/runNode.mts';
import { openOlderRest } from './support/olderRest.mts';

const count = 20;
const isWrong = (index: number) => index % 5 === 3;

describe('several items', () => {
	const rest = openOlderRest();
	let front: Front;
	let credential: Credential;
	beforeAll(async () => {
		front = await openFront();
		credential = await createCredential(rest, 'Items', { productionBaseUrl: front.url });
	});
	afterAll(() => front.close());

	const run = async (settings: Json): Promise<Execution> => {
		const given = { rest, name: 'Items', credential, parameters: createEach, settings };
		return await runNode({ ...given, items: indexes(count) });
	};
	const refuseWrong: Front['decide'] = ({ body }): Decision =>
		isWrong(Number(/\d+$/.exec(String(body.templateId))?.[0]))
			? { status: 422, body: { message: 'no such template' } }
			: undefined;

	test('Several items: each is created once, in order', async () => {
		front.seen.length = 0;
		const execution = await run({});
		assert.equal(execution.status, 'success', failureOf(execution));
		const templates = outputOf(execution, nodeName).map(({ template }) => (template as Json)._id);
		assert.deepEqual(
			templates,
			indexes(count).map(({ index }) => `template-${String(index)}`),
		);
		assert.equal(front.of('POST').length, count);
	});

	for (const onError of ['continueOnFail', 'onError'] as const) {
		const settings = onError === 'onError' ? { onError: 'continueRegularOutput' } : {};
		test(`Several items: errors become items with ${onError}`, async () => {
			front.decide = refuseWrong;
			const execution = await run({ continueOnFail: true, ...settings });
			front.decide = undefined;
			assert.equal(execution.status, 'success', failureOf(execution));
			const items = outputOf(execution, nodeName);
			assert.equal(items.length, count);
			for (const [index, item] of items.entries()) {
				assert.equal(typeof item.error, isWrong(index) ? 'string' : 'undefined');
				assert.equal(typeof item.requestId, isWrong(index) ? 'undefined' : 'string');
			}
			assert.match(String(items[3]?.message), /no such template/);
		});
	}

	test('Several items: without Continue On Fail the failure names what was created', async () => {
		front.decide = refuseWrong;
		const execution = await run({});
		front.decide = undefined;
		assert.equal(execution.status, 'error');
		const { error } = execution.data.resultData;
		assert.equal(error?.name, 'NodeApiError');
		assert.match(String(error.description), /no such template/);
		assert.match(String(error.description), /collection requests? (was|were) created: \w+/);
	});

	test('A 401 is told as such and not repeated for a create', async () => {
		front.seen.length = 0;
		front.decide = () => ({ status: 401, body: { message: 'no' } });
		const given = { rest, name: 'Refused', credential, parameters: createEach };
		const execution = await runNode({ ...given, items: indexes(1) });
		front.decide = undefined;
		assert.equal(execution.status, 'error');
		assert.equal(execution.data.resultData.error?.httpCode, '401');
		assert.equal(front.of('POST').length, 1);
	});

	test('Retry On Fail: what was created is not created again', async () => {
		front.seen.length = 0;
		let refused = 0;
		front.decide = ({ body }) =>
			body.templateId === 'template-2' && (refused += 1) < 3
				? { status: 422, body: { message: 'not now' } }
				: undefined;
		const execution = await run({ retryOnFail: true, maxTries: 3, waitBetweenTries: 10 });
		front.decide = undefined;
		assert.equal(execution.status, 'success', failureOf(execution));
		assert.equal(outputOf(execution, nodeName).length, count);
		assert.equal(front.of('POST').length, count + 2);
	});

	test('A redirect is not followed', async () => {
		front.seen.length = 0;
		const headers = { location: `${front.url}/elsewhere` };
		front.decide = () => ({ status: 307, body: {}, headers });
		const given = { rest, name: 'Redirected', credential, parameters: createEach };
		const execution = await runNode({ ...given, items: indexes(1) });
		front.decide = undefined;
		assert.equal(execution.status, 'error');
		assert.deepEqual(
			front.seen.map(({ url }) => url),
			['/di/collection-request/'],
		);
	});
});
