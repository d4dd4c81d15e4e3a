import assert from 'node:assert/strict';
import { publish } from '../../sandbox/n8n/publish.mts';
import { outputOf, type Credential, type Workflow } from '../../sandbox/n8n/types.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { signed, type Delivery } from '../support/delivery.mts';
import { n8nUrl } from '../support/environment.mts';
import { newestExecutions } from '../support/executions.mts';
import { nodeName, runNode } from '../support/runNode.mts';
import { send } from '../support/send.mts';
import { createTrigger } from '../support/trigger.mts';
import { actionNode, chain, node, to, webhookNode } from '../support/workflows.mts';
import { openOlderRest } from './support/olderRest.mts';

const verifyName = 'Verify';
const wentThrough = 'Verified';
const wentAside = 'Refused';

const rest = openOlderRest();
const secret = newSecret();
let credential: Credential;
let workflow: Workflow;
let url = '';
beforeAll(async () => {
	credential = await createCredential(rest, 'Verify', { webhookSecret: secret });
	const webhook = webhookNode();
	Object.assign(webhook.parameters, { responseMode: 'lastNode', options: { rawBody: true } });
	const verify = {
		...actionNode(verifyName, credential, { resource: 'notification', operation: 'verify' }),
		onError: 'continueErrorOutput',
	};
	const end = (name: string) => node(name, 'n8n-nodes-base.noOp', 1, {});
	const made = chain('Verify', [webhook, verify]);
	made.nodes.push(end(wentThrough), end(wentAside));
	made.connections[verifyName] = { main: [to(wentThrough), to(wentAside)] };
	workflow = await publish(rest, await rest.createWorkflow(made));
	url = `${n8nUrl}/webhook/${String(webhook.parameters.path)}`;
});

const run = async (delivery: Delivery) => {
	await send(url, delivery);
	const [execution] = await newestExecutions(rest, workflow.id, 1);
	assert.ok(execution);
	assert.equal(execution.status, 'success');
	return execution;
};

test("Verify: a genuine notification behind n8n's Webhook node", async () => {
	const execution = await run(signed({ secret }));
	assert.equal(execution.data.resultData.runData[wentAside], undefined);
	const [item = {}] = outputOf(execution, wentThrough);
	assert.equal(item.shareStatus, 'completed');
});

test('Verify: a forged one leaves by the error output alone', async () => {
	const execution = await run(signed({ secret: newSecret() }));
	assert.deepEqual(outputOf(execution, wentThrough), []);
	assert.match(String(outputOf(execution, wentAside)[0]?.error), /was refused/);
});

test('Send Test: the trigger accepts it', async () => {
	const trigger = await createTrigger({ rest, name: 'Send Test', secret });
	const execution = await runNode({
		...{ rest, name: 'Send Test: sender', credential },
		parameters: {
			...{ resource: 'notification', operation: 'sendTest' },
			...{ webhookUrl: trigger.url, requestId: 'r1' },
		},
	});
	const [item = {}] = outputOf(execution, nodeName);
	assert.deepEqual([item.statusCode, item.response], [200, { status: 'accepted' }]);
	await trigger.assertCount(1);
});
