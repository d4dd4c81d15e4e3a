import { outputOf } from '../../sandbox/n8n/types.mts';
import type { Json } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { openFront } from '../support/front.mts';
import { createEach, indexes, nodeName, runNode } from '../support/executions.mts';

const COUNT = 20;

const front = await openFront();
const credential = await createCredential('Items', { productionBaseUrl: front.url });

/** Refuses one template this often; runs Create with these node settings. */
async function create(refusals: number, settings: Json = {}) {
	let left = refusals;
	front.seen.length = 0;
	front.decide = ({ body }) =>
		body.templateId === 'template-2' && left-- > 0
			? { status: 422, body: { message: 'no such template' } }
			: undefined;
	const given = { name: 'Items', credential, parameters: createEach, settings };
	return await runNode({ ...given, items: indexes(COUNT) });
}

test('Continue On Fail: an error becomes an item', async () => {
	const execution = await create(9, { onError: 'continueRegularOutput' });
	expect(execution.status).toBe('success');
	const items = outputOf(execution, nodeName);
	expect(items.flatMap(({ error }, index) => (error === undefined ? [] : [index]))).toEqual([2]);
	expect(String(items[2]?.message)).toMatch(/no such template/);
});

test('Retry On Fail: what was created is not created again', async () => {
	const { status } = await create(2, { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 });
	expect(status).toBe('success');
	expect(front.of('POST').length).toBe(COUNT + 2);
});
