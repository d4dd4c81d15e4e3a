import assert from 'node:assert/strict';
import { publish } from '../../sandbox/n8n/publish.mts';
import { failureOf, outputOf, type Credential } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { n8nUrl, openRest } from '../support/environment.mts';
import { finished } from '../support/executions.mts';
import { openFront, type Front } from '../support/front.mts';
import { createEach, indexes, nodeName } from '../support/runNode.mts';
import { until } from '../support/until.mts';
import { actionNode, chain, splitNode, webhookNode } from '../support/workflows.mts';

describe('Retry On Fail on a worker', () => {
	const rest = openRest();
	let front: Front;
	let credential: Credential;
	beforeAll(async () => {
		front = await openFront();
		credential = await createCredential(rest, 'Queue retries', { productionBaseUrl: front.url });
	});
	afterAll(() => front.close());

	test('five items, the third fails twice: each exists once, the output is whole', async () => {
		let refused = 0;
		front.decide = ({ body }) =>
			body.templateId === 'template-2' && (refused += 1) < 3
				? { status: 400, body: { message: 'Not now' } }
				: undefined;
		const begin = webhookNode();
		const create = {
			...actionNode(nodeName, credential, { ...createEach, options: { concurrency: 1 } }),
			...{ retryOnFail: true, maxTries: 3, waitBetweenTries: 10 },
		};
		const made = chain('Queue retries', [begin, splitNode('body.items'), create]);
		const workflow = await publish(rest, await rest.createWorkflow(made));
		const answer = await fetch(`${n8nUrl}/webhook/${String(begin.parameters.path)}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ items: indexes(5) }),
		});
		assert.equal(answer.status, 200);
		const { id } = await until('the execution is stored', async () =>
			(await rest.listExecutions(workflow.id)).at(0),
		);
		const execution = await finished(rest, id);
		assert.equal(execution.status, 'success', failureOf(execution));
		const ids = outputOf(execution, nodeName).map(({ requestId }) => requestId);
		assert.equal(new Set(ids).size, 5);
		assert.deepEqual(
			front.of('POST').map(({ body }) => String(body.templateId).slice(-1)),
			['0', '1', '2', '2', '2', '3', '4'],
		);
	});
});
