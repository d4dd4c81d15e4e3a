import { outputOf } from '../../sandbox/n8n/types.mts';
import type { Execution, Json } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { openFront, type Front } from '../support/front.mts';
import { readApi } from '../support/sandboxService.mts';
import { createEach, indexes, nodeName, runNode } from '../support/runNode.mts';
import { openOlderRest } from './support/olderRest.mts';

const count = 20;
const isWrong = (index: number) => index % 5 === 3;
const refuseWrong: Front['decide'] = ({ body }) =>
	isWrong(Number(/\d+$/.exec(String(body.templateId))?.[0]))
		? { status: 422, body: { message: 'no such template' } }
		: undefined;

const rest = openOlderRest();
const front = await openFront();
const credential = await createCredential(rest, 'Items', { productionBaseUrl: front.url });

/** Runs Create with these node settings; `decide` may respond in place of the service. */
const run = async (
	decide: Front['decide'],
	settings: Json = {},
	items = indexes(count),
): Promise<Execution> => {
	front.seen.length = 0;
	front.decide = decide;
	const given = { rest, name: 'Items', credential, parameters: createEach, settings, items };
	return await runNode(given);
};
const itemsOf = (execution: Execution): Json[] => {
	expect(execution.status).toBe('success');
	const items = outputOf(execution, nodeName);
	expect(items.length).toBe(count);
	return items;
};
const errorOf = ({ status, data }: Execution): Json => {
	expect(status).toBe('error');
	return data.resultData.error ?? {};
};

test('Several items: each is created once, in order', async () => {
	const items = itemsOf(await run(undefined));
	const created = items.map(({ requestId }) =>
		readApi(`/di/collection-request/${String(requestId)}`),
	);
	expect((await Promise.all(created)).map(({ template }) => (template as Json)._id)).toStrictEqual(
		indexes(count).map(({ index }) => `template-${String(index)}`),
	);
	expect(front.of('POST').length).toBe(count);
});

test.each([
	['continueOnFail', {}],
	['onError', { onError: 'continueRegularOutput' }],
])('Several items: errors become items with %s', async (_name, settings) => {
	const items = itemsOf(await run(refuseWrong, { continueOnFail: true, ...settings }));
	for (const [index, item] of items.entries()) {
		expect(typeof item.error).toBe(isWrong(index) ? 'string' : 'undefined');
		expect(typeof item.requestId).toBe(isWrong(index) ? 'undefined' : 'string');
	}
	expect(String(items[3]?.message)).toMatch(/no such template/);
});

test('Several items: without Continue On Fail the failure names what was created', async () => {
	const { name, description } = errorOf(await run(refuseWrong));
	expect(name).toBe('NodeApiError');
	expect(String(description)).toMatch(/no such template/);
	expect(String(description)).toMatch(/collection requests? (was|were) created: \w+/);
});

test('A 401 is told as such and not repeated for a create', async () => {
	const refuse = () => ({ status: 401, body: { message: 'no' } });
	expect(errorOf(await run(refuse, {}, indexes(1))).httpCode).toBe('401');
	expect(front.of('POST').length).toBe(1);
});

test('Retry On Fail: what was created is not created again', async () => {
	let refused = 0;
	const refuseTwice: Front['decide'] = ({ body }) =>
		body.templateId === 'template-2' && (refused += 1) < 3
			? { status: 422, body: { message: 'not now' } }
			: undefined;
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
	itemsOf(await run(refuseTwice, settings));
	expect(front.of('POST').length).toBe(count + 2);
});

test('A redirect is not followed', async () => {
	const headers = { location: `${front.url}/elsewhere` };
	errorOf(await run(() => ({ status: 307, body: {}, headers }), {}, indexes(1)));
	const urls = front.seen.map(({ url }) => url);
	expect(urls).toStrictEqual(['/di/collection-request/']);
});
