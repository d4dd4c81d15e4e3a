import assert from 'node:assert/strict';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { credentialType } from '../../sandbox/n8n/examples.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import { outputOf, type WorkflowFile } from '../../sandbox/n8n/types.mts';
import { assertAnswer } from '../support/answers.mts';
import { payload, sign, signed, valueOf, withBody } from '../../sandbox/testing/delivery.mts';
import { withHeader, without, type Delivery } from '../../sandbox/testing/delivery.mts';
import { n8nUrl, rest } from '../support/environment.mts';
import { newestExecutions, runNode } from '../support/executions.mts';
import { codeBlock, textFile } from '../support/markdown.mts';
import { send } from '../../sandbox/testing/send.mts';
import { createTrigger } from '../support/trigger.mts';

const SIGNATURE = 'X-SVC-Signature';
const TIMESTAMP = 'X-SVC-Timestamp';
const TYPE = 'Content-Type';
const verifyName = 'Verify';

const parameters = { triggerOn: 'anyStatus', options: { unknownEvents: true } };
const trigger = await createTrigger({ name: 'Docs: trigger', parameters });
const { credential, secret } = trigger;
const good = (body?: string) => signed({ secret, body });

/** The workflow that docs/verify-signatures.md offers. */
const workflowOfTheDocs = () =>
	JSON.parse(
		codeBlock(textFile('docs/verify-signatures.md'), 'verify-signature.json'),
	) as WorkflowFile;
/** Its webhook uses the path from the page, so that path must be free again afterwards. */
const published = async (workflow: WorkflowFile) => {
	const verify = workflow.nodes.find(({ name }) => name === verifyName);
	assert.ok(verify);
	verify.credentials = { [credentialType]: credential };
	const { id } = await publish(rest, await rest.createWorkflow(workflow));
	const entrance = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.webhook');
	return { id, url: `${n8nUrl}/webhook/${String(entrance?.parameters.path)}` };
};
const { id: workflowId, url } = await published(workflowOfTheDocs());
afterAll(() => rest.deactivate(workflowId));

const accepts = async (delivery = good(), at = url) =>
	assertAnswer(await send(at, delivery), 'accepted');
const refuses = async (delivery: Delivery, at = url) =>
	assertAnswer(await send(at, delivery), 'unverified');
const newestItem = async () => {
	const [execution] = await newestExecutions(workflowId, 1);
	assert.ok(execution);
	return outputOf(execution, verifyName)[0] ?? {};
};

type Change = (delivery: Delivery) => Delivery;
const typed =
	(type: string): Change =>
	(delivery) =>
		withHeader(delivery, TYPE, type);
const asText = typed('text/plain');
/** Wraps the signed body as a file in a form, beside unsigned fields. */
const asForm =
	(type: string, file: string): Change =>
	(delivery) => {
		const part = (head: string, content: string) =>
			`--cut\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
		const fileHead = `name="${file}"; filename="${file}"\r\nContent-Type: text/plain`;
		const parts = part('name="requestId"', 'forged') + part(fileHead, delivery.body.toString());
		return withHeader(withBody(delivery, `${parts}--cut--\r\n`), TYPE, `${type}; boundary=cut`);
	};
/** Repeats a header: another value, by default the same one, comes before its own. */
const twice =
	(header: string, another?: string): Change =>
	(delivery) => {
		const own = valueOf(delivery, header);
		return withHeader(delivery, header, another ?? own, own);
	};
const packed =
	(name: string, pack: (plain: Buffer) => Buffer): Change =>
	(delivery) =>
		withHeader(withBody(delivery, pack(delivery.body)), 'Content-Encoding', name);

test("gives the trigger's item, whatever the spaces and letters of the body", async () => {
	const body =
		'{ "event": "e", "requestId" : "r1",\n"shareStatus": "cömpleted ✓", "note": "{{ 1 + 1 }}" }';
	const delivery = good(body);
	const item = await trigger.accepts(delivery);
	expect(item.note).toBe('{{ 1 + 1 }}');
	await accepts(delivery);
	expect(await newestItem()).toStrictEqual(item);
});

test('finds the bytes where n8n keeps them in the JSON', async () => {
	const workflow = workflowOfTheDocs();
	workflow.settings = { ...workflow.settings, binaryMode: 'combined' };
	for (const { parameters } of workflow.nodes) {
		if (parameters.path !== undefined) parameters.path = 'docs-combined';
	}
	const combined = await published(workflow);
	const delivery = good();
	await accepts(delivery, combined.url);
	const other = JSON.stringify(payload({ _files: { data: { id: 'x', data: 'x' } } }));
	await refuses(withBody(delivery, other), combined.url);
	await rest.deactivate(combined.id);
});

test('without Raw Body, Verify and Send Test both say so', async () => {
	const workflow = workflowOfTheDocs();
	for (const { parameters } of workflow.nodes) {
		if (parameters.path !== undefined) Object.assign(parameters, { path: 'no-raw', options: {} });
	}
	const without = await published(workflow);
	const sendTest = { resource: 'notification', operation: 'sendTest', webhookUrl: without.url };
	const sent = await runNode({ name: 'Docs: no Raw Body', credential, parameters: sendTest });
	const { message, description } = sent.data.resultData.error ?? {};
	expect(message).toBe('The receiver refused the signature (HTTP 401)');
	expect(String(description)).toMatch(/Raw Body/);
	const [execution] = await newestExecutions(without.id, 1);
	const [, refused] = execution?.data.resultData.runData[verifyName]?.[0]?.data?.main ?? [];
	expect(String(refused?.[0]?.json.error)).toMatch(/^The raw body is missing/);
	expect(String(refused?.[0]?.json.message)).toMatch(/add Raw Body\. 2\. Turn its switch on/);
	await rest.deactivate(without.id);
});

/** Correctly signed, but sent differently from the way the service does. */
test.each<[title: string, isTaken: boolean, change: Change]>([
	['as it is', true, (delivery) => delivery],
	['gzip', true, packed('gzip', gzipSync)],
	['brotli', false, packed('br', brotliCompressSync)],
	['a text', true, asText],
	['a form', true, typed('application/x-www-form-urlencoded')],
	['another charset', false, typed('application/json; charset=utf-16le')],
])('takes what the trigger takes, however it is sent: %s (%s)', async (_title, isTaken, change) => {
	const delivery = change(good());
	const statuses = [await send(trigger.url, delivery), await send(url, delivery)];
	expect(statuses.map(({ status }) => status === 200)).toStrictEqual([isTaken, isTaken]);
});

/** What reaches Verify differently from how it was sent; test/engine/verify.test.mts has the rest. */
test.each<[title: string, change: Change]>([
	['no body', (delivery) => withBody(delivery, '')],
	['a wrong signature before the right one', twice(SIGNATURE, '0'.repeat(64))],
	['a form with the signed body under another name', asForm('multipart/form-data', 'file')],
	[
		'a missing timestamp under the signature of the word "undefined"',
		({ body }) =>
			withHeader(without(good(), TIMESTAMP), SIGNATURE, sign(secret, 'undefined', body)),
	],
	[
		'a missing body under the signature of that word',
		() => withBody(asText(good('undefined')), ''),
	],
	[
		'another byte that n8n reads as the same letter',
		() => {
			const [start = '', end = ''] = JSON.stringify(payload({ note: '|' })).split('|');
			const bytes = Buffer.concat([Buffer.from(start), Buffer.of(0xff), Buffer.from(end)]);
			return withBody(good(`${start}\uFFFD${end}`), bytes);
		},
	],
])('refuses %s', async (_title, change) => {
	const delivery = good();
	await refuses(change(delivery));
	await accepts(delivery);
});

const forms = ['multipart/form-data', 'MULTIPART/Form-Data'];
test.each(forms)('reads nothing of a form (%s) but the signed bytes in it', async (type) => {
	const delivery = good(JSON.stringify(payload({ requestId: 'signed' })));
	const { status, text } = await send(url, asForm(type, 'data')(delivery));
	expect(text).not.toMatch(/forged/);
	const item = await newestItem();
	expect(JSON.stringify(item)).not.toMatch(/forged/);
	expect([status, item.requestId]).toStrictEqual([200, 'signed']);
});
