import path from 'node:path';
import { readExample } from '../../sandbox/n8n/examples.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import { failureOf, outputOf } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { service, userFolder } from '../support/environment.mts';
import { nodeName, runNode } from '../support/executions.mts';
import { startOwnN8n } from '../support/n8n.mts';

// Settings of a whole installation; the n8n of the other suites runs without them.

const create = { resource: 'collectionRequest', operation: 'create', templateId: 't' };

const proxied = await startOwnN8n(path.join(userFolder, 'proxied'), {
	env: {
		HTTP_PROXY: service.url,
		NO_PROXY: 'localhost',
		N8N_WEBHOOK_URL: 'https://n8n.example.com/automation/',
	},
});
afterAll(() => proxied.stop());

test('HTTP_PROXY is honoured', async () => {
	const { rest } = proxied;
	// Nothing listens there: only the proxy can have responded.
	const address = 'http://127.0.0.1:1';
	const credential = await createCredential('E2E proxy', { productionBaseUrl: address }, rest);
	service.respond = ({ url }) => ({ status: 200, body: { _id: 'by-proxy', url } });
	const execution = await runNode({ rest, name: 'E2E proxy', credential, parameters: create });
	const ours = service.calls.filter(({ url }) => url.includes('/di/'));
	expect(ours.map(({ method, url }) => [method, url])).toStrictEqual([
		['POST', `${address}/di/collection-request/`],
	]);
	expect(outputOf(execution, nodeName)[0]?.requestId).toBe('by-proxy');
});

test('behind a path prefix, the practice service notifies only addresses below it', async () => {
	const { rest, url } = proxied;
	await publish(rest, await rest.createWorkflow(await readExample('practice-service')));
	const statusFor = async (webhookUrl: string) => {
		const practice = `${url}/webhook/data-collection-practice/di/collection-request/`;
		const headers = {
			Authorization: 'Bearer practice-key',
			tokenId: 'practice-key',
			'Content-Type': 'application/json',
		};
		const body = JSON.stringify({ templateId: 't', webhookUrl });
		return (await fetch(practice, { method: 'POST', headers, body })).status;
	};
	const prefix = 'https://n8n.example.com/automation/';
	expect(await statusFor(`${prefix}webhook/1`)).toBe(201);
	const ways = [
		'../webhook/1',
		'%2e%2e/webhook/1',
		'.%2E/webhook/1',
		'.\t./webhook/1',
		'..\\webhook',
	];
	for (const way of ways) expect([way, await statusFor(`${prefix}${way}`)]).toEqual([way, 400]);
	expect(await statusFor('https://n8n.example.com/webhook/1')).toBe(400);
	expect(await statusFor('https://n8n.example.com/automation.other/1')).toBe(400);
});

test('N8N_SSRF_PROTECTION_ENABLED: nothing is sent, and nothing "may have been created"', async () => {
	const { rest, stop } = await startOwnN8n(path.join(userFolder, 'protected'), {
		env: { N8N_SSRF_PROTECTION_ENABLED: 'true' },
	});
	service.calls.length = 0;
	// n8n checks an IP address before it connects, and the address of a name while it connects.
	for (const productionBaseUrl of [service.url, service.url.replace('127.0.0.1', 'localhost')]) {
		const credential = await createCredential('E2E SSRF', { productionBaseUrl }, rest);
		for (const operation of ['create', 'get']) {
			const parameters = { ...create, operation, requestId: 'r1' };
			const execution = await runNode({ rest, name: 'E2E SSRF', credential, parameters });
			expect(execution.status).toBe('error');
			const text = String(failureOf(execution));
			expect(text).toMatch(/^n8n is configured to block requests to the address/);
			expect(text).toMatch(/N8N_SSRF_ALLOWED_HOSTNAMES/);
			expect(text).not.toMatch(/may have been created/);
		}
		expect((await rest.testCredential(credential)).status).toBe('Error');
	}
	expect(service.calls).toStrictEqual([]);
	await stop();
});
