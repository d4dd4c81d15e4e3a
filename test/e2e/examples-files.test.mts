import assert from 'node:assert/strict';
import { exampleNames, readExample } from '../../sandbox/n8n/examples.mts';
import type { Json, WorkflowNode } from '../../sandbox/n8n/types.mts';
import { openRest } from '../support/environment.mts';

interface NodeType extends Json {
	name: string;
	version: number | number[];
	hidden?: boolean;
	properties: Array<{ name: string }>;
}

const versionsOf = ({ version }: NodeType) => (Array.isArray(version) ? version : [version]);

describe('the example files in this n8n', async () => {
	let types: NodeType[];
	beforeAll(async () => {
		types = (await openRest().nodeTypes()) as NodeType[];
	});
	const typeOf = ({ type, typeVersion }: WorkflowNode) =>
		types.find((known) => known.name === type && versionsOf(known).includes(Number(typeVersion)));

	for (const name of await exampleNames()) {
		test(`${name}: n8n has every node in this version and offers it in the editor`, async () => {
			for (const node of (await readExample(name)).nodes) {
				const known = typeOf(node);
				assert.ok(known, `${node.type} ${String(node.typeVersion)}`);
				assert.notEqual(known.hidden, true, `${node.type} is hidden`);
			}
		});

		test(`${name}: n8n knows every parameter`, async () => {
			for (const node of (await readExample(name)).nodes) {
				const known = typeOf(node)?.properties.map((property) => property.name) ?? [];
				for (const parameter of Object.keys(node.parameters)) {
					assert.ok(known.includes(parameter), `${node.name}: ${parameter}`);
				}
			}
		});
	}
});
