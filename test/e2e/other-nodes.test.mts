import assert from 'node:assert/strict';
import { actionType, triggerType } from '../../sandbox/n8n/examples.mts';
import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { serviceCredential } from '../../sandbox/shared/service.mts';
import { createCredential } from '../support/credential.mts';
import { n8nUrl, openRest, serviceUrl } from '../support/environment.mts';
import { finished } from '../support/executions.mts';
import { calls } from '../support/sandboxService.mts';
import { chain, httpNode, manualName, manualNode } from '../support/workflows.mts';

interface NodeType extends Json {
	name: string;
	iconUrl?: string | { light: string; dark: string };
}

describe('beside the rest of n8n', () => {
	const rest = openRest();

	test("the credential works in n8n's own HTTP Request node", async () => {
		const headers = {
			'content-type': 'application/json',
			authorization: `Bearer ${serviceCredential.apiKey}`,
			tokenId: serviceCredential.tokenId,
		};
		const body = JSON.stringify({ templateId: 'e2e-template' });
		const route = `${serviceUrl}/di/collection-request/`;
		const made = await fetch(route, { method: 'POST', headers, body });
		const { _id } = (await made.json()) as { _id: string };

		const credential = await createCredential(rest, 'E2E HTTP Request');
		const request = httpNode('HTTP Request', credential, `${route}${_id}`);
		const { id } = await rest.createWorkflow(chain('E2E HTTP Request', [manualNode(), request]));
		const execution = await finished(rest, await rest.runManually(id, manualName));
		assert.equal(execution.status, 'success', JSON.stringify(execution.data.resultData.error));
		assert.equal(outputOf(execution, 'HTTP Request')[0]?._id, _id);
		const call = (await calls()).findLast(({ url }) => url.endsWith(_id));
		assert.equal(call?.status, 200);
	});

	for (const type of [actionType, triggerType]) {
		test(`n8n serves ${type} with a light and a dark icon`, async () => {
			const served = (await rest.nodeTypes()) as NodeType[];
			const found = served.filter(({ name }) => name === type);
			assert.equal(found.length, 1);
			const icon = found[0]?.iconUrl;
			assert.ok(typeof icon === 'object', 'icons for light and dark');
			assert.notEqual(icon.light, icon.dark);
			for (const file of [icon.light, icon.dark]) {
				const response = await fetch(`${n8nUrl}/${file}`);
				assert.equal(response.status, 200, file);
				assert.match(response.headers.get('content-type') ?? '', /^image\/svg\+xml/);
			}
		});
	}

	test('n8n serves what a node gives before it has run', async () => {
		const served: Array<[string, string[]]> = [
			[`${actionType}/1.0.0/collectionRequest/create`, ['requestId', 'guestLink']],
			[`${actionType}/1.0.0/share/get`, ['requestId', 'guestLink']],
			[`${triggerType}/1.1.0`, ['event', 'requestId']],
		];
		for (const [path, first] of served) {
			const response = await fetch(`${n8nUrl}/schemas/${path}.json`);
			assert.equal(response.status, 200, path);
			const { properties } = (await response.json()) as { properties: Json };
			assert.deepEqual(Object.keys(properties).slice(0, 2), first);
		}
	});

	test('n8n offers the action node to AI agents, the trigger not', async () => {
		const names = ((await rest.nodeTypes()) as NodeType[]).map(({ name }) => name);
		assert.ok(names.includes(`${actionType}Tool`));
		assert.equal(names.includes(`${triggerType}Tool`), false);
	});
});
