import { failureOf, outputOf } from '../../sandbox/n8n/types.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import { readExample } from '../../sandbox/n8n/examples.mts';
import { createCredential } from '../support/credential.mts';
import { openFront } from '../support/front.mts';
import { startOwnN8n } from '../support/n8n.mts';
import { userFolder } from '../support/environment.mts';
import path from 'node:path';
import { KEYS, call } from '../support/practice.mts';
import { createEach, nodeName, runNode } from '../support/executions.mts';

/** These are settings of a whole installation; the e2e n8n runs without them. */
const front = await openFront();
const n8n = await startOwnN8n(path.join(userFolder, 'network'), {
	env: {
		HTTP_PROXY: front.url,
		NO_PROXY: 'localhost',
		N8N_WEBHOOK_URL: 'https://n8n.example.com/automation/',
	},
});
afterAll(() => n8n.stop());
const { rest } = n8n;

test('HTTP_PROXY is honoured', async () => {
	// Nothing listens there: only the proxy can have responded.
	const address = 'http://127.0.0.1:1';
	const credential = await createCredential('E2E proxy', { productionBaseUrl: address }, rest);
	front.decide = ({ url }) => ({ status: 200, body: { _id: 'by-proxy', url } });
	const parameters = { ...createEach, templateId: 'e2e-template' };
	const execution = await runNode({ rest, name: 'E2E proxy', credential, parameters });
	const ours = front.seen.filter(({ url }) => url.includes('/di/'));
	expect(ours.map(({ method, url }) => [method, url])).toStrictEqual([
		['POST', `${address}/di/collection-request/`],
	]);
	expect(outputOf(execution, nodeName)[0]?.requestId).toBe('by-proxy');
});

test('behind a path prefix, the practice service notifies only addresses below it', async () => {
	await publish(rest, await rest.createWorkflow(await readExample('practice-service')));
	const create = async (webhookUrl: string) => {
		const at = `${n8n.url}/webhook/data-collection-practice`;
		const body = { templateId: 't', webhookUrl };
		return (await call('/di/collection-request/', body, KEYS, at)).status;
	};
	const prefix = 'https://n8n.example.com/automation/';
	expect(await create(`${prefix}webhook/1`)).toBe(201);
	const ways = [
		'../webhook/1',
		'%2e%2e/webhook/1',
		'.%2E/webhook/1',
		'.\t./webhook/1',
		'..\\webhook',
	];
	for (const way of ways) expect([way, await create(`${prefix}${way}`)]).toEqual([way, 400]);
	expect(await create('https://n8n.example.com/webhook/1')).toBe(400);
	expect(await create('https://n8n.example.com/automation.other/1')).toBe(400);
});

test('N8N_SSRF_PROTECTION_ENABLED: nothing is sent, and nothing "may have been created"', async () => {
	await n8n.stop();
	await n8n.start({ N8N_SSRF_PROTECTION_ENABLED: 'true' });
	front.seen.length = 0;
	// n8n checks an IP address before it connects, and the address of a name while it connects.
	for (const productionBaseUrl of [front.url, front.url.replace('127.0.0.1', 'localhost')]) {
		const credential = await createCredential('E2E SSRF', { productionBaseUrl }, rest);
		for (const operation of ['create', 'get']) {
			const parameters = { ...createEach, operation, requestId: 'r1' };
			const execution = await runNode({ rest, name: 'E2E SSRF', credential, parameters });
			expect(execution.status).toBe('error');
			const text = String(failureOf(execution));
			expect(text).toMatch(/^n8n is configured to block requests to the address/);
			expect(text).toMatch(/N8N_SSRF_ALLOWED_HOSTNAMES/);
			expect(text).not.toMatch(/may have been created/);
		}
		expect((await rest.testCredential(credential)).status).toBe('Error');
	}
	expect(front.seen).toStrictEqual([]);
});
