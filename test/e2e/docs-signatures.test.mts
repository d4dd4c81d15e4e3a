import assert from 'node:assert/strict';
import { credentialType, readExample, webhookType } from '../../sandbox/n8n/examples.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import { outputOf, type WorkflowNode } from '../../sandbox/n8n/types.mts';
import { payload, signed, withBody, withHeader } from '../support/delivery.mts';
import { n8nUrl, rest } from '../support/environment.mts';
import { newestExecutions, runNode } from '../support/executions.mts';
import { send } from '../support/send.mts';
import { createTrigger } from '../support/trigger.mts';

// The example verify-notification: what n8n's Webhook node passes on to Verify.

const verifyName = 'Verify';
const trigger = await createTrigger({ name: 'Docs: trigger' });
const { credential, secret } = trigger;
const good = (body?: string) => signed({ secret, body });

/** Publishes the workflow at this path, without which it has the one from the example. */
async function published(path?: string, webhook: WorkflowNode['parameters'] = {}) {
	const workflow = await readExample('verify-notification');
	const verify = workflow.nodes.find(({ name }) => name === verifyName);
	const entrance = workflow.nodes.find(({ type }) => type === webhookType);
	assert.ok(verify && entrance);
	verify.credentials = { [credentialType]: credential };
	Object.assign(entrance.parameters, webhook, path === undefined ? {} : { path });
	const { id } = await publish(rest, await rest.createWorkflow(workflow));
	// The path of the example must be free again afterwards.
	afterAll(() => rest.deactivate(id));
	return { id, url: `${n8nUrl}/webhook/${String(entrance.parameters.path)}` };
}
const { id, url } = await published();
const newest = async (workflowId = id) => {
	const [execution] = await newestExecutions(workflowId, 1);
	assert.ok(execution);
	return execution;
};

test("gives the trigger's item, whatever the spaces and letters of the body", async () => {
	const body =
		'{ "event": "collection_request.updated", "requestId" : "r1",\n"shareStatus": "cömpleted ✓", "note": "{{ 1 + 1 }}" }';
	const delivery = good(body);
	const item = await trigger.accepts(delivery);
	expect(item.note).toBe('{{ 1 + 1 }}');
	expect(await send(url, delivery)).toBe('200 accepted');
	expect(outputOf(await newest(), verifyName)).toStrictEqual([item]);
});

test('reads nothing of a form but the signed bytes in it', async () => {
	const delivery = good(JSON.stringify(payload({ requestId: 'signed' })));
	const part = (head: string, content: string) =>
		`--cut\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
	const file = 'name="data"; filename="data"\r\nContent-Type: text/plain';
	const form = part('name="requestId"', 'forged') + part(file, delivery.body.toString());
	const type = 'multipart/form-data; boundary=cut';
	const sent = withHeader(withBody(delivery, `${form}--cut--\r\n`), 'Content-Type', type);
	const response = await send(url, sent);
	const [item] = outputOf(await newest(), verifyName);
	expect(`${response}${JSON.stringify(item)}`).not.toMatch(/forged/);
	expect(item?.requestId).toBe('signed');
});

test('without Raw Body, Verify and Send Test both say so', async () => {
	const without = await published('no-raw-body', { options: {} });
	const sendTest = { resource: 'notification', operation: 'sendTest', webhookUrl: without.url };
	const sent = await runNode({ name: 'Docs: no Raw Body', credential, parameters: sendTest });
	const { message, description } = sent.data.resultData.error ?? {};
	expect(message).toBe('The receiver refused the signature (HTTP 401)');
	expect(String(description)).toMatch(/Raw Body/);
	const { runData } = (await newest(without.id)).data.resultData;
	const [, refused] = runData[verifyName]?.[0]?.data?.main ?? [];
	expect(String(refused?.[0]?.json.error)).toMatch(/^The raw body is missing/);
	expect(String(refused?.[0]?.json.message)).toMatch(/add Raw Body\. 2\. Turn its switch on/);
});
