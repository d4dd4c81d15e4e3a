import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { credentialType } from '../../sandbox/n8n/examples.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import { outputOf, type Credential, type WorkflowFile } from '../../sandbox/n8n/types.mts';
import { root } from '../../sandbox/shared/paths.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { payload, sign, signed, valueOf } from '../support/delivery.mts';
import { withBody, withHeader, without, type Delivery } from '../support/delivery.mts';
import { n8nUrl, openRest } from '../support/environment.mts';
import { hangUp, headOf } from '../support/exchange.mts';
import { newestExecutions } from '../support/executions.mts';
import { forbid } from '../support/leaks.mts';
import { logEnd, waitForLog } from '../support/n8nLog.mts';
import { NoAnswer, send, sendChunked, sendRaw, type Answer } from '../support/send.mts';
import { createTrigger } from '../support/trigger.mts';

const SIGNATURE = 'X-SVC-Signature';
const TIMESTAMP = 'X-SVC-Timestamp';
const TYPE = 'Content-Type';

const secret = newSecret();
const accepted = [200, 'accepted'];
const refused = [401, 'unverified'];

const status = ({ status: code, text }: Answer) => [code, (JSON.parse(text) as Answer).status];
const secondsAgo = (seconds: number) => String(Date.now() - seconds * 1000);
const asText = (delivery: Delivery) => withHeader(delivery, TYPE, 'text/plain');

const verifyName = 'Verify';

/** The workflow that docs/verify-signatures.md gives to people. */
function workflowOfTheDocs(): WorkflowFile {
	const page = readFileSync(path.join(root, 'docs', 'verify-signatures.md'), 'utf8');
	const block = /^```json verify-signature\.json\n([\s\S]*?)^```$/m.exec(page)?.[1];
	assert.ok(block, 'the page has the workflow');
	return JSON.parse(block) as WorkflowFile;
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
	['a form with the signed body under another name', asForm('multipart/form-data', 'file')],
];

const packed = (name: string, pack: (plain: Buffer) => Buffer): Change => {
	return (good) => withHeader(withBody(good, pack(good.body)), 'Content-Encoding', name);
};

/** Signed all right, and sent in another way than the service does. */
const ways: Array<[title: string, change: Change]> = [
	['as it is', (good) => good],
	['gzip', packed('gzip', gzipSync)],
	['deflate', packed('deflate', deflateSync)],
	['brotli', packed('br', brotliCompressSync)],
	['gzip announced', packed('gzip', (plain) => plain)],
	['gzip announced for bytes', (good) => asBytes(packed('gzip', (plain) => plain)(good))],
	['bytes', (good) => asBytes(good)],
	['no content type', (good) => without(good, TYPE)],
	['a text', asText],
	['a form', (good) => withHeader(good, TYPE, 'application/x-www-form-urlencoded')],
	['another charset', (good) => withHeader(good, TYPE, 'application/json; charset=utf-16le')],
	['two delivery IDs', (good) => withHeader(good, 'X-SVC-Delivery-Id', 'a', 'b')],
	['names in capitals', ({ headers, body }) => ({ headers: headers.map(inCapitals), body })],
];

const asBytes: Change = (good) => withHeader(good, TYPE, 'application/octet-stream');
const inCapitals = ([name, value]: [string, string]): [string, string] => [
	name.toUpperCase(),
	value,
];

/** What is refused although the service's secret signed it. */
const signedButRefused: Array<[title: string, timestamp: string]> = [
	['six minutes ago', secondsAgo(360)],
	['in six minutes', secondsAgo(-360)],
	['at a word', 'undefined'],
	['at a time with a dot', `${Date.now()}.5`],
	['at a time with a sign', `+${Date.now()}`],
];

describe("docs/verify-signatures.md: Verify behind n8n's Webhook node", () => {
	const rest = openRest();
	let url = '';
	let workflowId = '';

	let credential: Credential;
	beforeAll(async () => {
		forbid(secret);
		credential = await createCredential(rest, 'Docs', { webhookSecret: secret });
		({ workflowId, url } = await published(workflowOfTheDocs()));
	});

	const published = async (workflow: WorkflowFile) => {
		const verify = workflow.nodes.find(({ name }) => name === verifyName);
		assert.ok(verify);
		verify.credentials = { [credentialType]: credential };
		const stored = await rest.createWorkflow(workflow);
		await publish(rest, stored);
		const entrance = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.webhook');
		const address = `${n8nUrl}/webhook/${String(entrance?.parameters.path)}`;
		return { workflowId: stored.id, url: address };
	};

	const accepts = async (delivery = signed({ secret })) =>
		assert.deepEqual(status(await send(url, delivery)), accepted);
	const newestItem = async () => {
		const [execution] = await newestExecutions(rest, workflowId, 1);
		assert.ok(execution);
		return outputOf(execution, verifyName)[0] ?? {};
	};

	test('accepts a genuine notification, whatever its spaces and letters', async () => {
		await accepts();
		const body =
			'{ "event": "e", "requestId" : "r1",\n"shareStatus": "cömpleted ✓", "note": "{{ 1 + 1 }}" }';
		await accepts(signed({ secret, body }));
		const { requestId, shareStatus, note } = await newestItem();
		assert.deepEqual([requestId, shareStatus, note], ['r1', 'cömpleted ✓', '{{ 1 + 1 }}']);
	});

	test('takes the path of the bytes where n8n keeps them in the JSON', async () => {
		const workflow = workflowOfTheDocs();
		workflow.settings = { ...workflow.settings, binaryMode: 'combined' };
		for (const { name, parameters } of workflow.nodes) {
			if (parameters.path !== undefined) parameters.path = 'docs-combined';
			if (name === verifyName) parameters.binaryPropertyName = '_files.data';
		}
		const combined = await published(workflow);
		const good = signed({ secret });
		assert.deepEqual(status(await send(combined.url, good)), accepted);
		const other = JSON.stringify(payload({ _files: { data: { id: 'x', data: 'x' } } }));
		assert.deepEqual(status(await send(combined.url, withBody(good, other))), refused);
	});

	test("gives the trigger's item", async () => {
		const trigger = await createTrigger({ rest, name: 'Docs: trigger', secret });
		const delivery = signed({ secret });
		const item = await trigger.accepts(delivery);
		await accepts(delivery);
		assert.deepEqual(await newestItem(), item);
	});

	test('takes what the trigger takes, however it is sent', async () => {
		const { url: triggerUrl } = await createTrigger({ rest, name: 'Docs: sent', secret });
		for (const [title, change] of ways) {
			const [takenBy, verified] = [
				await send(triggerUrl, change(signed({ secret }))),
				await send(url, change(signed({ secret }))),
			].map(({ status: code }) => code === 200);
			assert.equal(verified, takenBy, title);
		}
		await accepts();
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

	for (const type of ['multipart/form-data', 'MULTIPART/Form-Data']) {
		test(`reads nothing of a form (${type}) but the signed bytes in it`, async () => {
			const good = signed({ secret, body: JSON.stringify(payload({ requestId: 'signed' })) });
			const { text } = await send(url, asForm(type, 'data')(good));
			assert.doesNotMatch(text, /forged/);
			const item = await newestItem();
			assert.doesNotMatch(JSON.stringify(item), /forged/);
			if (Object.keys(item).length > 2) assert.equal(item.requestId, 'signed');
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

	test('tells bytes apart that n8n reads as the same letter', async () => {
		const body = JSON.stringify(payload({ note: '\uFFFD' }));
		const good = signed({ secret, body });
		const [start = '', end = ''] = body.split('\uFFFD');
		for (const bytes of [[0xff], [0xfe], [0xc3]]) {
			const other = Buffer.concat([Buffer.from(start), Buffer.from(bytes), Buffer.from(end)]);
			assert.deepEqual(status(await send(url, withBody(good, other))), refused, String(bytes));
		}
		await accepts(good);
	});

	test('refuses what is signed and no notification, and goes on', async () => {
		for (const body of ['null', '[]', '5', '"text"', '{}', 'no JSON', '{"requestId":', '']) {
			const delivery = asText(signed({ secret, body }));
			assert.deepEqual(status(await send(url, delivery)), refused, body);
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

	test('leaves huge bodies to n8n, which refuses them, and refuses those above 1 MiB', async () => {
		const large = signed({ secret, body: JSON.stringify(payload({ note: ' '.repeat(2 ** 20) })) });
		assert.deepEqual(status(await send(url, large)), refused);
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
