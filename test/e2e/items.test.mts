import { outputOf } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { rest } from '../support/environment.mts';
import { finished, succeeded } from '../support/executions.mts';
import { openFront } from '../support/front.mts';
import { createEach, indexes, nodeName, startNode } from '../support/runNode.mts';
import { until } from '../support/until.mts';

const front = await openFront();
const credential = await createCredential(rest, 'E2E items', { productionBaseUrl: front.url });
beforeEach(() => void Object.assign(front, { seen: [], decide: undefined, before: undefined }));

const start = (count: number, given = credential) =>
	startNode({
		...{ rest, name: 'E2E items', credential: given, items: indexes(count) },
		parameters: createEach,
	});

test('stopped while it pauses: ends within a second and sends nothing more', async () => {
	front.decide = () => ({ status: 429, body: {}, headers: { 'retry-after': '4' } });
	const areAsked = () => until('all five are asked to slow down', () => front.seen.length === 5);
	front.before = areAsked;
	const id = await start(5);
	await areAsked();
	const due = Math.max(...front.seen.map(({ at }) => at)) + 4500;
	const stopped = Date.now();
	await rest.send('POST', `/rest/executions/${id}/stop`, {});
	expect((await finished(rest, id)).status).toBe('canceled');
	const took = Date.now() - stopped;
	expect(took).toBeLessThan(2000);
	await until('the requests would be due again', () => Date.now() > due);
	expect(front.seen.length).toBe(5);
});

test('expressions in the credential count for the first item, and no key goes to the address of another', async () => {
	front.decide = ({ body }) => ({ status: 200, body: { _id: `of-${String(body.templateId)}` } });
	const withExpressions = await createCredential(rest, 'E2E expressions', {
		productionBaseUrl: `=${front.url}/{{ $json.index }}`,
		apiKey: '={{ "key-of-" + $json.index }}',
		tokenId: '={{ "token-of-" + $json.index }}',
	});
	const execution = await succeeded(rest, await start(4, withExpressions));
	expect(outputOf(execution, nodeName).length).toBe(4);
	const first = ['/0/di/collection-request/', 'Bearer key-of-0', 'token-of-0'];
	expect(
		front.seen.map(({ url, headers }) => [url, headers.authorization, headers.tokenid]),
	).toStrictEqual([first, first, first, first]);
});
