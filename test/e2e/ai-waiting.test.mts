import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { actionType } from '../../sandbox/n8n/examples.mts';
import { failureOf, outputOf, type Credential, type Json } from '../../sandbox/n8n/types.mts';
import { agentName, startAgent, toolNode } from './support/agent.mts';
import { createCredential, newSecret } from './support/credential.mts';
import { openRest } from './support/environment.mts';
import { finished } from './support/executions.mts';
import { openModel, say, toolResult } from './support/model.mts';
import { complete, requestOf } from './support/sandboxService.mts';
import { until } from './support/until.mts';

interface NodeType extends Json {
	name: string;
	properties: Array<{ name: string; options?: Array<Json & { value?: unknown }> }>;
}

void describe('Create and Wait as a tool of an AI agent', () => {
	const rest = openRest();
	let credential: Credential;
	before(async () => {
		credential = await createCredential(rest, 'E2E agent waits', { webhookSecret: newSecret() });
	});

	test('is hidden', async () => {
		const types = (await rest.nodeTypes()) as NodeType[];
		const tool = types.find(({ name }) => name === `${actionType}Tool`);
		const offered = (tool?.properties ?? [])
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options }) => options ?? [])
			.find(({ value }) => value === 'createAndWait');
		assert.deepEqual(offered?.displayOptions, { hide: { '@tool': [true] } });
	});

	test('forced upon it all the same: the agent waits as a whole and gets the outcome', async (context) => {
		const identifier = randomUUID();
		const wait = toolNode('Wait', credential, {
			...{ resource: 'collectionRequest', operation: 'createAndWait', participantsMode: 'json' },
			...{ participantsJson: '[]', waitForStatuses: ['completed'] },
			additionalFields: { webhookIdentifier: identifier },
			templateId: "={{ $fromAI('templateId', 'ID of the form template', 'string') }}",
		});
		let result: Json = {};
		const model = await openModel([
			() => say('Wait', { templateId: 'e2e-template' }),
			async (call) => {
				result = toolResult(call);
				return await Promise.resolve('It is complete.');
			},
		]);
		context.after(() => model.close());
		const run = { rest, name: 'E2E agent waits', model, tools: [wait], prompt: 'Wait.' };
		const id = await startAgent(run);
		await until('the agent waits', async () => {
			const { status } = await rest.send<{ status: string }>('GET', `/rest/executions/${id}`);
			return status === 'waiting' ? true : undefined;
		});
		const { request } = await requestOf(identifier);
		await complete(request._id);
		const execution = await finished(rest, id);
		assert.equal(execution.status, 'success', failureOf(execution));
		assert.equal(outputOf(execution, agentName)[0]?.output, 'It is complete.');
		assert.equal(result.requestId, request._id);
		assert.equal(result.shareStatus, 'completed');
		assert.equal(model.calls.length, 2);
	});
});
