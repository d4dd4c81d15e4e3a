import assert from 'node:assert/strict';
import { actionType, exampleNames, readExample, triggerType } from '../../sandbox/n8n/examples.mts';
import type { Json } from '../../sandbox/n8n/types.mts';
import { rest } from '../support/environment.mts';

interface NodeType extends Json {
	name: string;
	version: number | number[];
	hidden?: boolean;
	properties: Array<{ name: string; options?: Array<{ value?: unknown }> }>;
}

const types = (await rest.nodeTypes()) as NodeType[];

test('n8n offers the action node with every operation to AI agents, the trigger not', () => {
	const tool = types.find(({ name }) => name === `${actionType}Tool`);
	const operations = tool?.properties.filter(({ name }) => name === 'operation') ?? [];
	const values = operations.flatMap(({ options = [] }) => options.map(({ value }) => value));
	expect(values).toContain('wait');
	expect(types.map(({ name }) => name)).not.toContain(`${triggerType}Tool`);
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
