import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { publish } from '../../sandbox/n8n/publish.mts';
import { outputOf, type WorkflowFile } from '../../sandbox/n8n/types.mts';
import { root } from '../../sandbox/shared/paths.mts';
import { newSecret } from './support/credential.mts';
import { payload, sign, signed, valueOf } from './support/delivery.mts';
import { withBody, withHeader, without, type Delivery } from './support/delivery.mts';
import { n8nUrl, openRest } from './support/environment.mts';
import { hangUp, headOf } from './support/exchange.mts';
import { newestExecutions } from './support/executions.mts';
import { forbid } from './support/forbidden.mts';
import { logEnd, waitForLog } from './support/n8nLog.mts';
import { NoAnswer, send, sendChunked, sendRaw, type Answer } from './support/send.mts';

const SIGNATURE = 'X-SVC-Signature';
const TIMESTAMP = 'X-SVC-Timestamp';
const TYPE = 'Content-Type';

const secret = newSecret();
const accepted = [200, 'accepted'];
const refused = [401, 'unverified'];

const status = ({ status: code, text }: Answer) => [code, (JSON.parse(text) as Answer).status];
const secondsAgo = (seconds: number) => String(Date.now() - seconds * 1000);
const asText = (delivery: Delivery) => withHeader(delivery, TYPE, 'text/plain');

const readerName = 'Read What Is Signed';

/**
 * The workflow that docs/verify-signatures.md gives to people, and after it a node that reads the
 * notification as the page says.
 */
function workflowOfTheDocs(): WorkflowFile {
	const page = readFileSync(path.join(root, 'docs', 'verify-signatures.md'), 'utf8');
	const block = /^```json verify-signature\.json\n([\s\S]*?)^```$/m.exec(page)?.[1];
	assert.ok(block, 'the page has the workflow');
	const expression = /`(\{\{ \$json\.text.*? \}\})`/.exec(page)?.[1] ?? '';
	const workflow = JSON.parse(block) as WorkflowFile;
	workflow.nodes.push({
		...{ id: 'reader', name: readerName, type: 'n8n-nodes-base.set', typeVersion: 3.4 },
		position: [1100, -100],
		parameters: {
			assignments: {
				assignments: [{ id: 'a', name: 'read', value: `=${expression}`, type: 'string' }],
			},
		},
	});
	workflow.connections.Accept = { main: [[{ node: readerName, type: 'main', index: 0 }]] };
	return workflow;
}

type Change = (delivery: Delivery) => Delivery;

const resigned =
	(change: (right: string) => string[]): Change =>
	(delivery) =>
		withHeader(delivery, SIGNATURE, ...change(valueOf(delivery, SIGNATURE)));

/** Moves what stands before the body's first dot into the timestamp: the signed bytes stay the same. */
const shifted: Change = (delivery) => {
	const body = delivery.body.toString();
	const dot = body.indexOf('.');
	const timestamp = `${valueOf(delivery, TIMESTAMP)}.${body.slice(0, dot)}`;
	return asText(withHeader(withBody(delivery, body.slice(dot + 1)), TIMESTAMP, timestamp));
};

/** Wraps the signed body as a file of a form, beside fields that nobody signed. */
const asForm =
	(type: string, file: string): Change =>
	(delivery) => {
		const part = (head: string, content: string) =>
			`--cut\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
		const fileHead = `name="${file}"; filename="${file}"\r\nContent-Type: text/plain`;
		const parts = part('name="requestId"', 'forged') + part(fileHead, delivery.body.toString());
		const form = `${parts}--cut--\r\n`;
		return withHeader(withBody(delivery, form), TYPE, `${type}; boundary=cut`);
	};

const attacks: Array<[title: string, change: Change]> = [
	['another body', (good) => withBody(good, JSON.stringify(payload()))],
	['the body written anew', (good) => withBody(good, ` ${good.body.toString()}`)],
	['a byte order mark', (good) => withBody(good, `\uFEFF${good.body.toString()}`)],
	['no body', (good) => withBody(good, '')],
	['bytes moved from the body into the timestamp', shifted],
	['another timestamp', (good) => withHeader(good, TIMESTAMP, secondsAgo(1))],
	['no timestamp', (good) => without(good, TIMESTAMP)],
	[
		'two timestamps',
		(good) => withHeader(good, TIMESTAMP, ...Array<string>(2).fill(valueOf(good, TIMESTAMP))),
	],
	['no signature', (good) => without(good, SIGNATURE)],
	['no headers of its own', (good) => without(without(good, SIGNATURE), TIMESTAMP)],
	['the signature twice', resigned((right) => [right, right])],
	['a wrong signature before the right one', resigned((right) => ['0'.repeat(64), right])],
	['the signature in upper case', resigned((right) => [right.toUpperCase()])],
	['half a signature', resigned((right) => [right.slice(0, 32)])],
	['another secret', (good) => signed({ secret: newSecret(), body: good.body })],
	['a form with the signed body as a file', asForm('multipart/form-data', 'data')],
	['the same form, in capitals', asForm('MULTIPART/Form-Data', 'data')],
	['a form with the signed body under another name', asForm('multipart/form-data', 'file')],
];

/** What the recipe refuses although the service's secret signed it. */
const signedButRefused: Array<[title: string, timestamp: string]> = [
	['six minutes ago', secondsAgo(360)],
	['in six minutes', secondsAgo(-360)],
	['at a word', 'undefined'],
	['at a time with a dot', `${Date.now()}.5`],
	['at a time with a sign', `+${Date.now()}`],
];

void describe("docs/verify-signatures.md with n8n's own nodes", () => {
	const rest = openRest();
	let url = '';
	let workflowId = '';

	before(async () => {
		forbid(secret);
		const { id, name } = await rest.createCredential('Docs', 'crypto', { hmacSecret: secret });
		const workflow = workflowOfTheDocs();
		const hashing = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.crypto');
		assert.ok(hashing);
		hashing.credentials = { crypto: { id, name } };
		const stored = await rest.createWorkflow(workflow);
		await publish(rest, stored);
		workflowId = stored.id;
		const entrance = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.webhook');
		url = `${n8nUrl}/webhook/${String(entrance?.parameters.path)}`;
	});

	const accepts = async (delivery = signed({ secret })) =>
		assert.deepEqual(status(await send(url, delivery)), accepted);

	test('accepts a genuine notification, whatever its spaces and letters', async () => {
		await accepts();
		const body = '{ "requestId" : "r1",\n"shareStatus": "cömpleted ✓", "note": "{{ 1 + 1 }}" }';
		await accepts(signed({ secret, body }));
		const [execution] = await newestExecutions(rest, workflowId, 1);
		assert.ok(execution);
		assert.equal(outputOf(execution, 'Accept')[0]?.text, body);
		assert.equal(outputOf(execution, readerName)[0]?.read, 'r1');
	});

	for (const [title, change] of attacks) {
		test(`refuses ${title}`, async () => {
			const good = signed({ secret });
			assert.deepEqual(status(await send(url, change(good))), refused);
			await accepts(good);
		});
	}

	for (const [title, timestamp] of signedButRefused) {
		test(`refuses what was signed ${title}`, async () => {
			assert.deepEqual(status(await send(url, signed({ secret, timestamp }))), refused);
		});
	}

	test('refuses missing parts under the signature of the word "undefined"', async () => {
		const body = Buffer.from('{}');
		const nothing = without(signed({ secret, body }), TIMESTAMP);
		const timeless = withHeader(nothing, SIGNATURE, sign(secret, 'undefined', body));
		assert.deepEqual(status(await send(url, timeless)), refused);
		const bodyless = withBody(asText(signed({ secret, body: 'undefined' })), '');
		assert.deepEqual(status(await send(url, bodyless)), refused);
	});

	test('refuses bytes that are no UTF-8, and the letter that n8n reads them as', async () => {
		const good = signed({ secret, body: '{"requestId":"r1","note":"\uFFFD"}' });
		const [start = '', end = ''] = good.body.toString().split('\uFFFD');
		for (const bytes of [[0xff], [0xfe], [0xc3], [0xef, 0xbf, 0xbd]]) {
			const body = Buffer.concat([Buffer.from(start), Buffer.from(bytes), Buffer.from(end)]);
			assert.deepEqual(status(await send(url, withBody(good, body))), refused, String(bytes));
			assert.deepEqual(status(await send(url, signed({ secret, body }))), refused, String(bytes));
		}
	});

	test('survives what is signed and no notification', async () => {
		for (const body of ['null', '[]', '5', '"text"', '{}', 'no JSON', '{"requestId":', '']) {
			await accepts(asText(signed({ secret, body })));
		}
		await accepts();
	});

	test('survives a sender that hangs up in the middle of the body', async () => {
		const { headers, body } = signed({ secret });
		const length = ['Content-Length', String(body.length)] as [string, string];
		const place = logEnd();
		await hangUp(url, headOf(url, 'POST', [length, ...headers]), body.subarray(0, 20));
		await waitForLog(place, 'Request body stream was aborted');
		await accepts({ headers, body });
	});

	test('leaves huge bodies to n8n, which refuses them', async () => {
		const huge = signed({ secret, body: ' '.repeat(20_000_000) });
		for (const sending of [sendRaw, sendChunked]) {
			const answer = await sending(url, huge).catch((error: unknown) => {
				assert.ok(error instanceof NoAnswer, String(error));
			});
			assert.notEqual(answer?.status, 200);
		}
		await accepts();
	});
});
