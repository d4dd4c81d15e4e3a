import assert from 'node:assert/strict';
import { failureOf, outputOf } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { openRest } from '../support/environment.mts';
import { openFront, type Front } from '../support/front.mts';
import { createEach, indexes, nodeName, runNode } from '../support/runNode.mts';

describe('a credential with expressions', () => {
	const rest = openRest();
	let front: Front;
	beforeAll(async () => {
		front = await openFront({
			decide: ({ body }) => ({ status: 200, body: { _id: `made-of-${String(body.templateId)}` } }),
		});
	});
	afterAll(() => front.close());

	test('they count for the first item, and no key goes to the address of another', async () => {
		const credential = await createCredential(rest, 'E2E expressions', {
			productionBaseUrl: `=${front.url}/{{ $json.index }}`,
			apiKey: '={{ "key-of-" + $json.index }}',
			tokenId: '={{ "token-of-" + $json.index }}',
		});
		const name = 'E2E credential with expressions';
		const parameters = { ...createEach, options: { concurrency: 2 } };
		const execution = await runNode({ rest, name, credential, parameters, items: indexes(4) });
		assert.equal(execution.status, 'success', failureOf(execution));
		assert.equal(outputOf(execution, nodeName).length, 4);
		const sent = front.seen.map(({ url, headers }) => [
			url,
			headers.authorization,
			headers.tokenid,
		]);
		const first = ['/0/di/collection-request/', 'Bearer key-of-0', 'token-of-0'];
		assert.deepEqual(sent, [first, first, first, first]);
	});
});
