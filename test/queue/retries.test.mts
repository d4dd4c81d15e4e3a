import assert from 'node:assert/strict';
import { failureOf, outputOf } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { openRest } from '../support/environment.mts';
import { openFront } from '../support/front.mts';
import { createEach, indexes, nodeName, runNode } from '../support/runNode.mts';
import { startedBy } from './support/parts.mts';

describe('Retry On Fail on a worker, started in the editor', () => {
	test('five items, the third fails twice: each exists once, the output is whole', async () => {
		const rest = openRest();
		let refused = 0;
		const front = await openFront({
			decide: ({ body }) =>
				body.templateId === 'template-2' && (refused += 1) < 3
					? { status: 400, body: { message: 'Not now' } }
					: undefined,
		});
		const name = 'Queue retries';
		const execution = await runNode({
			...{ rest, name, items: indexes(5) },
			credential: await createCredential(rest, name, { productionBaseUrl: front.url }),
			parameters: { ...createEach, options: { concurrency: 1 } },
			settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 },
		});
		await front.close();
		assert.equal(execution.status, 'success', failureOf(execution));
		assert.equal(execution.mode, 'manual');
		assert.equal((await startedBy(execution.id)).length, 1);
		const ids = outputOf(execution, nodeName).map(({ requestId }) => requestId);
		assert.equal(new Set(ids).size, 5);
		assert.deepEqual(
			front.of('POST').map(({ body }) => String(body.templateId).slice(-1)),
			['0', '1', '2', '2', '2', '3', '4'],
		);
	});
});
