import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import { actionType, triggerType } from '../../sandbox/n8n/examples.mts';
import type { Json } from '../../sandbox/n8n/types.mts';
import { root } from '../../sandbox/shared/paths.mts';
import { openRest } from '../support/environment.mts';

// The code with which n8n's AI workflow builder looks for nodes, and with which it describes their
// parameters to its model; here with the descriptions that n8n itself gives out.

interface Catalog {
	NodeTypeParser: new (types: Json[]) => object;
	searchCodeBuilderNodes: (parser: object, queries: string[]) => { results: string };
}

interface Types {
	generateNodeTypeFile: (type: Json) => string;
}

const require = createRequire(path.join(root, 'sandbox', 'n8n', 'package.json'));
const ofN8n = (file: string): unknown =>
	require(path.join(root, 'sandbox', 'n8n', 'node_modules', '@n8n', file));

describe("n8n's AI workflow builder", () => {
	const rest = openRest();
	let types: Json[];
	beforeAll(async () => {
		types = await rest.nodeTypes();
	});

	const found = (query: string) => {
		const { NodeTypeParser, searchCodeBuilderNodes } = {
			...(ofN8n('ai-utilities/dist/cjs/node-catalog/node-type-parser.js') as Catalog),
			...(ofN8n('ai-utilities/dist/cjs/node-catalog/search.js') as Catalog),
		};
		return searchCodeBuilderNodes(new NodeTypeParser(types), [query]).results;
	};

	for (const query of ['data collection', 'guest link', 'collect answers', 'wait for answers']) {
		test(`finds the nodes by "${query}", and says how they belong together`, () => {
			const results = found(query);
			assert.match(results, new RegExp(`- ${actionType}\\n`));
			assert.match(results, /@builderHint To collect data from several people.*Create.*Wait/);
			assert.match(results, /@builderHint Nobody is invited by this alone/);
			assert.match(results, /@builderHint Comes after Create/);
			assert.match(results, new RegExp(triggerType));
		});
	}

	test('says of Webhook URL whose address it is', () => {
		const { generateNodeTypeFile } = ofN8n(
			'workflow-sdk/dist/generate-types/generate-types.js',
		) as Types;
		const description = types.find(({ name }) => name === actionType) ?? {};
		const written = generateNodeTypeFile(description);
		assert.match(
			written,
			/@builderHint The production URL of a Data Collection Trigger[^]*webhookUrl/,
		);
	});
});
