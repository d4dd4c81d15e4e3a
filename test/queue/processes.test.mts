import { randomUUID } from 'node:crypto';
import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { actionNode, chain, manualName, manualNode } from '../support/workflows.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { rest, serviceUrl } from '../support/environment.mts';
import { finished, nodeName, runNode, startNode, succeeded } from '../support/executions.mts';
import {
	bothAnswer,
	calls,
	createForTwo,
	createRequest,
	requestOf,
	twoPeople,
} from '../support/sandboxService.mts';
import { until } from '../support/until.mts';
import { givenUpBy, startedBy } from '../support/queue.mts';

const credential = await createCredential('Queue processes', { webhookSecret: newSecret() });
const one = { resource: 'collectionRequest', requestId: 'r1' };

test('what the editor starts runs on a worker, with the same result', async () => {
	const read = { ...one, operation: 'getGuestLink' };
	const execution = await runNode({ name: 'Queue manual', credential, parameters: read });
	expect(execution.mode).toBe('manual');
	const link = { requestId: 'r1', guestLink: `${serviceUrl}/request/r1` };
	expect(outputOf(execution, nodeName)).toStrictEqual([link]);
	expect(startedBy(execution.id)).toHaveLength(1);
});

test('the main flow in the editor, with a Wait, ends on a worker when both have answered', async () => {
	const webhookIdentifier = randomUUID();
	const ours = (name: string, parameters: Json) => ({
		...actionNode(name, credential, { resource: 'collectionRequest', ...parameters }),
		webhookId: randomUUID(),
	});
	const create = ours('Create', { ...createForTwo, additionalFields: { webhookIdentifier } });
	const wait = ours('Wait', { operation: 'wait' });
	const read = actionNode('Read', credential, { resource: 'share', operation: 'getAnswers' });
	const file = chain('Queue manual flow', [manualNode(), create, wait, read]);
	const { id: workflowId } = await rest.createWorkflow(file);
	const id = await rest.runManually(workflowId, manualName);
	// In the editor, Wait looks for itself, so it has looked once when the guests answer.
	const looks = async () => (await calls()).filter(({ method }) => method === 'GET').length;
	const earlier = await looks();
	await until('Wait looks', async () => (await looks()) > earlier);
	await bothAnswer((await requestOf(webhookIdentifier)).guestLink);
	const execution = await succeeded(id);
	expect(execution.mode).toBe('manual');
	expect(outputOf(execution, 'Wait')[0]?.shareStatus).toBe('completed');
	const addresses = outputOf(execution, 'Read').filter(({ label }) => label === 'Delivery address');
	expect(addresses.map(({ value }) => value)).toStrictEqual(twoPeople.map(({ name }) => name));
	expect(startedBy(id)).toHaveLength(1);
});

test('Stop ends a Wait in the editor, after which its worker is free', async () => {
	const requestId = await createRequest();
	const parameters = { ...one, operation: 'wait', which: 'requestId', requestId };
	const limit = { limitWaitTime: true, resumeAmount: 5, resumeUnit: 'hours' };
	const run = { name: 'Queue stop', credential, parameters: { ...parameters, ...limit } };
	const id = await startNode(run);
	const hasLooked = async () => (await calls()).some(({ url }) => url.endsWith(requestId));
	await until('it has looked', hasLooked);
	await rest.send('POST', `/rest/executions/${id}/stop`);
	expect((await finished(id)).status).toBe('canceled');
	await until('the worker has given it up', () => givenUpBy(id).length > 0);
	expect(givenUpBy(id)).toStrictEqual(startedBy(id));
});
