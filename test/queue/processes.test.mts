import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { until } from '../../sandbox/shared/until.mts';
import { addressesOf, createCredential, newSecret } from '../support/credential.mts';
import { environment, rest } from '../support/environment.mts';
import { finished, startNode, succeeded } from '../support/executions.mts';
import { bothAnswer, createForTwo, twoPeople } from '../support/people.mts';
import { openService } from '../support/service/service.mts';
import { actionNode, chain, manualName, manualNode } from '../support/workflows.mts';

const service = await openService();
const credential = await createCredential('Queue processes', {
	webhookSecret: newSecret(),
	...addressesOf(service),
});

/** How many executions the workers run now, by n8n's queue in Redis. */
async function runningOnWorkers(): Promise<number> {
	const socket = connect({ port: environment.queue?.redisPort ?? 0 });
	socket.write('LLEN bull:jobs:active\r\nQUIT\r\n');
	return Number(/^:(\d+)\r\n/.exec(await text(socket))?.[1]);
}

test('the main flow in the editor, with a Wait, ends on a worker when both have answered', async () => {
	const webhookIdentifier = randomUUID();
	const ours = (name: string, parameters: Json) => ({
		...actionNode(name, credential, { resource: 'collectionRequest', ...parameters }),
		webhookId: randomUUID(),
	});
	const create = ours('Create', { ...createForTwo, additionalFields: { webhookIdentifier } });
	const wait = ours('Wait', { operation: 'wait' });
	const answers = { resource: 'share', operation: 'getAnswers', output: 'answers' };
	const read = actionNode('Read', credential, answers);
	const file = chain('Queue manual flow', [manualNode(), create, wait, read]);
	const { id: workflowId } = await rest.createWorkflow(file);
	const id = await rest.runManually(workflowId, manualName);
	// In the editor, Wait looks for itself, so it has looked once when the guests answer.
	await until('Wait looks', () => service.calls.some(({ method }) => method === 'GET'));
	expect(await runningOnWorkers()).toBe(1);
	bothAnswer(service.requestsOf(webhookIdentifier)[0]?.guestLink, '', service);
	const execution = await succeeded(id);
	expect(execution.mode).toBe('manual');
	expect(outputOf(execution, 'Wait')[0]?.shareStatus).toBe('completed');
	const addresses = outputOf(execution, 'Read').filter(({ label }) => label === 'Delivery address');
	expect(addresses.map(({ value }) => value)).toStrictEqual(twoPeople.map(({ name }) => name));
});

test('Stop ends a Wait in the editor, after which its worker is free', async () => {
	const requestId = service.create();
	const parameters = {
		resource: 'collectionRequest',
		operation: 'wait',
		which: 'requestId',
		requestId,
		limitWaitTime: true,
		resumeAmount: 5,
		resumeUnit: 'hours',
	};
	const id = await startNode({ name: 'Queue stop', credential, parameters });
	await until('it has looked', () => service.calls.some(({ url }) => url.endsWith(requestId)));
	expect(await runningOnWorkers()).toBe(1);
	await rest.send('POST', `/rest/executions/${id}/stop`);
	expect((await finished(id)).status).toBe('canceled');
	await until('the worker has given it up', async () => (await runningOnWorkers()) === 0);
});
