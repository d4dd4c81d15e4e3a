import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { publish } from '../../sandbox/n8n/publish.mts';
import type { WorkflowFile } from '../../sandbox/n8n/types.mts';
import { root } from '../../sandbox/shared/paths.mts';
import { newSecret } from './support/credential.mts';
import { payload, sign, signed, withBody, withHeader, without } from './support/delivery.mts';
import { n8nUrl, openRest } from './support/environment.mts';
import { forbid } from './support/forbidden.mts';
import { send, type Answer } from './support/send.mts';

/** The workflow that docs/verify-signatures.md gives to people. */
function workflowOfTheDocs(): WorkflowFile {
	const page = readFileSync(path.join(root, 'docs', 'verify-signatures.md'), 'utf8');
	const block = /^```json verify-signature\.json\n([\s\S]*?)^```$/m.exec(page)?.[1];
	assert.ok(block, 'the page has the workflow');
	return JSON.parse(block) as WorkflowFile;
}

void describe("docs/verify-signatures.md with n8n's own nodes", () => {
	const secret = newSecret();
	const seconds = (age: number) => String(Date.now() - age * 1000);
	let url = '';

	const status = ({ status: code, text }: Answer) => [code, (JSON.parse(text) as Answer).status];
	const accepted = [200, 'accepted'];
	const refused = [401, 'unverified'];

	before(async () => {
		forbid(secret);
		const rest = openRest();
		const { id, name } = await rest.createCredential('Docs', 'crypto', { hmacSecret: secret });
		const workflow = workflowOfTheDocs();
		const hashing = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.crypto');
		assert.ok(hashing);
		hashing.credentials = { crypto: { id, name } };
		await publish(rest, await rest.createWorkflow(workflow));
		const entrance = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.webhook');
		url = `${n8nUrl}/webhook/${String(entrance?.parameters.path)}`;
	});

	test('accepts a genuine notification, whatever its spaces and letters', async () => {
		assert.deepEqual(status(await send(url, signed({ secret }))), accepted);
		const body = '{ "requestId" : "r1",\n"shareStatus": "cömpleted ✓", "note": "{{ 1 + 1 }}" }';
		assert.deepEqual(status(await send(url, signed({ secret, body }))), accepted);
	});

	test('refuses another body under the same signature', async () => {
		const changed = withBody(signed({ secret }), JSON.stringify(payload()));
		assert.deepEqual(status(await send(url, changed)), refused);
	});

	test('refuses another secret, another timestamp and missing headers', async () => {
		const good = signed({ secret });
		assert.deepEqual(status(await send(url, signed({ secret: newSecret() }))), refused);
		for (const header of ['X-SVC-Signature', 'X-SVC-Timestamp']) {
			assert.deepEqual(status(await send(url, without(good, header))), refused, header);
		}
		const moved = withHeader(good, 'X-SVC-Timestamp', seconds(1));
		assert.deepEqual(status(await send(url, moved)), refused);
	});

	test('refuses what was signed six minutes ago, and a signed word as time', async () => {
		assert.deepEqual(status(await send(url, signed({ secret, timestamp: seconds(360) }))), refused);
		assert.deepEqual(status(await send(url, signed({ secret, timestamp: 'undefined' }))), refused);
		const body = Buffer.from('{}');
		const nothing = without(signed({ secret, body }), 'X-SVC-Timestamp');
		const empty = withHeader(nothing, 'X-SVC-Signature', sign(secret, 'undefined', body));
		assert.deepEqual(status(await send(url, empty)), refused);
	});
});
