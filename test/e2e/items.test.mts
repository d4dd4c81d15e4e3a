import { outputOf } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { createEach, indexes, nodeName, startNode, succeeded } from '../support/executions.mts';
import { openFront } from '../support/front.mts';

const front = await openFront();

test('expressions in the credential count for the first item, and no key goes to the address of another', async () => {
	front.decide = ({ body }) => ({ status: 200, body: { _id: `of-${String(body.templateId)}` } });
	const withExpressions = await createCredential('E2E expressions', {
		productionBaseUrl: `=${front.url}/{{ $json.index }}`,
		apiKey: '={{ "key-of-" + $json.index }}',
		tokenId: '={{ "token-of-" + $json.index }}',
	});
	const run = {
		name: 'E2E expressions',
		credential: withExpressions,
		parameters: createEach,
	};
	const execution = await succeeded(await startNode({ ...run, items: indexes(4) }));
	expect(outputOf(execution, nodeName).length).toBe(4);
	const first = ['/0/di/collection-request/', 'Bearer key-of-0', 'token-of-0'];
	expect(
		front.seen.map(({ url, headers }) => [url, headers.authorization, headers.tokenid]),
	).toStrictEqual([first, first, first, first]);
});
