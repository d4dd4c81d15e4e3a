import assert from 'node:assert/strict';
import { actionType, exampleNames, readExample, triggerType } from '../../sandbox/n8n/examples.mts';
import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { createCredential } from '../support/credential.mts';
import { n8nUrl, rest, serviceUrl } from '../support/environment.mts';
import { runWorkflow } from '../support/executions.mts';
import { calls, createRequest } from '../support/sandboxService.mts';
import { chain, httpNode, manualNode } from '../support/workflows.mts';

interface NodeType extends Json {
	name: string;
	version: number | number[];
	hidden?: boolean;
	iconUrl?: string | { light: string; dark: string };
	properties: Array<{ name: string; options?: Array<Json & { value?: unknown }> }>;
}

const types = (await rest.nodeTypes()) as NodeType[];

test("the credential works in n8n's own HTTP Request node", async () => {
	const id = await createRequest();
	const credential = await createCredential('E2E HTTP Request');
	const url = `${serviceUrl}/di/collection-request/${id}`;
	const nodes = [manualNode(), httpNode('HTTP Request', credential, url)];
	const execution = await runWorkflow(chain('E2E HTTP Request', nodes));
	expect(outputOf(execution, 'HTTP Request')[0]?._id).toBe(id);
	const call = (await calls()).findLast((made) => made.url.endsWith(id));
	expect(call?.status).toBe(200);
});

describe('n8n serves', () => {
	test.each([actionType, triggerType])('%s with a light and a dark icon', async (type) => {
		const found = types.filter(({ name }) => name === type);
		expect(found.length).toBe(1);
		const icon = found[0]?.iconUrl;
		assert.ok(typeof icon === 'object', 'icons for light and dark');
		expect(icon.light).not.toBe(icon.dark);
		for (const file of [icon.light, icon.dark]) {
			const response = await fetch(`${n8nUrl}/${file}`);
			expect(response.status).toBe(200);
			expect(response.headers.get('content-type') ?? '').toMatch(/^image\/svg\+xml/);
		}
	});

	test.each([
		[`${actionType}/1.0.0/collectionRequest/create`, ['requestId', 'guestLink']],
		[`${actionType}/1.0.0/share/get`, ['requestId', 'guestLink']],
		[`${triggerType}/1.1.0`, ['event', 'requestId']],
	])('what a node gives before it has run: %s', async (file, first) => {
		const response = await fetch(`${n8nUrl}/schemas/${file}.json`);
		expect(response.status).toBe(200);
		const { properties } = (await response.json()) as { properties: Json };
		expect(Object.keys(properties).slice(0, 2)).toStrictEqual(first);
	});

	test('the action node with every operation to AI agents, the trigger not', () => {
		const tool = types.find(({ name }) => name === `${actionType}Tool`);
		assert.ok(tool);
		const operations = tool.properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options }) => options ?? []);
		expect(operations.map(({ value }) => value)).toContain('wait');
		for (const { displayOptions } of operations) expect(displayOptions).toBe(undefined);
		expect(types.map(({ name }) => name)).not.toContain(`${triggerType}Tool`);
	});
});

test.each(await exampleNames())(
	'the example %s: n8n has every node in this version, offers it, and knows every parameter',
	async (name) => {
		for (const node of (await readExample(name)).nodes) {
			const known = types.find(
				({ name: type, version }) =>
					type === node.type && [version].flat().includes(Number(node.typeVersion)),
			);
			assert.ok(known, `${node.type} ${String(node.typeVersion)}`);
			expect(known.hidden).not.toBe(true);
			const parameters = known.properties.map((property) => property.name);
			const unknown = Object.keys(node.parameters).filter((name) => !parameters.includes(name));
			expect({ node: node.name, unknown }).toStrictEqual({ node: node.name, unknown: [] });
		}
	},
);
