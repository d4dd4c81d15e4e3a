import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { DataCollection } from '../../nodes/DataCollection/DataCollection.node.ts';
import { DataCollectionTrigger } from '../../nodes/DataCollection/DataCollectionTrigger.node.ts';
import { matching } from '../support/matchers.mts';
import { newestVersion } from '../engine/support/workflow.mts';

interface Example {
	name: string;
	active: boolean;
	settings: object;
	nodes: INode[];
}

const folder = join(import.meta.dirname, '..', '..', 'examples');
const docs = readFileSync(join(folder, '..', 'docs', 'examples.md'), 'utf8');
const workflows = readdirSync(folder).filter((file) => file.endsWith('.json'));
const EXAMPLES = workflows.map((file) => {
	const text = readFileSync(join(folder, file), 'utf8');
	return { file, text, example: JSON.parse(text) as Example };
});

/** Only the practice service has more: everybody can start it, so n8n keeps as little as possible. */
const SETTINGS: Record<string, object> = {
	'practice-service.json': { saveDataSuccessExecution: 'none' },
};

/** By the file's name: the heading of the section in docs/examples.md that begins with it. */
const HEADINGS = new Map(
	[...docs.matchAll(/^## (.+)\n\n[^\n]*?\(\.\.\/examples\/(\S+\.json)\)/gm)].map(
		([, heading, file]) => [file, heading],
	),
);

describe.each(EXAMPLES)('$file', ({ file, text, example }) => {
	test('has one name: of its workflow, of its first note and in the documents', () => {
		const note = example.nodes.find(({ type }) => type.endsWith('.stickyNote'));
		const title = /^## (.*)/.exec(note?.parameters.content as string)?.[1];
		expect([title, example.name.toLowerCase()]).toEqual([
			HEADINGS.get(file),
			`data collection: ${title?.toLowerCase()}`,
		]);
	});

	test('holds a workflow and nothing of the n8n it was made in', () => {
		const { name, active, settings, ...others } = example;
		expect(name).toMatch(/^Data Collection: /);
		expect(active).toBe(false);
		expect(settings).toEqual({ executionOrder: 'v1', ...SETTINGS[file] });
		expect(Object.keys(others).sort()).toEqual(['connections', 'nodes', 'pinData']);
		expect(text).not.toMatch(/localhost|127\.0\.0\.1|instanceId|cachedResult|"credentials"/);
		const addresses = text.match(/[\w.-]+@[\w-]+(\.[\w-]+)+/g) ?? [];
		expect(addresses.filter((address) => !address.endsWith('@example.com'))).toEqual([]);
	});
});

const PREFIX = 'n8n-nodes-data-collection.';
const { getNodeParameters, getNodeParametersIssues } = NodeHelpers;
const descriptions = [new DataCollection().description, new DataCollectionTrigger().description];

/** Our nodes in the examples, each with the description that it must match. */
const OURS = EXAMPLES.flatMap(({ file, example }) =>
	example.nodes
		.filter(({ type }) => type.startsWith(PREFIX))
		.map((node) => {
			const name = node.type.slice(PREFIX.length);
			const found = descriptions.find((known) => known.name === name.replace(/Tool$/, ''));
			if (found === undefined) throw new Error(`There is no node type ${node.type}`);
			// n8n tells a tool by this name.
			const description = { ...found, name };
			return { title: `${file}: ${node.name}`, node, isTool: name !== found.name, description };
		}),
);
type OurNode = (typeof OURS)[number];

/** The node's parameters at run time, without those that n8n adds to an agent's tool. */
function parametersOf({ node, isTool }: OurNode): INodeParameters {
	const added = isTool ? ['descriptionType', 'toolDescription'] : [];
	const own = Object.entries(node.parameters).filter(([name]) => !added.includes(name));
	const parameters = Object.fromEntries(own);
	// A user enters it first; the sandbox does so when it imports an example.
	if (parameters.notify === 'trigger') parameters.webhookUrl = 'https://n8n.example.com/webhook/1';
	return parameters;
}

/** Dotted names of all fields, including those inside collections and lists. */
function namesIn(value: unknown, path = ''): string[] {
	if (typeof value !== 'object' || value === null) return [path];
	if (Array.isArray(value)) return value.flatMap((entry) => namesIn(entry, `${path}[]`));
	const entries = Object.entries(value);
	if (entries.length === 0) return [path];
	return entries.flatMap(([name, inner]) => namesIn(inner, path === '' ? name : `${path}.${name}`));
}

/** The fields that the node does not show for these parameters, and the problems that n8n reports. */
function problemsOf(our: OurNode): string[] {
	const { node, description } = our;
	const { properties } = description;
	const parameters = parametersOf(our);
	const shown = getNodeParameters(properties, parameters, true, false, node, description);
	const kept = namesIn(shown);
	const issues = getNodeParametersIssues(properties, { ...node, parameters }, description);
	return [
		...namesIn(parameters).filter((name) => !kept.includes(name)),
		...Object.values(issues?.parameters ?? {}).flat(),
	];
}

test('the examples use the trigger, the action and the tool', () => {
	const types = ['dataCollection', 'dataCollectionTool', 'dataCollectionTrigger'];
	const used = new Set(OURS.map(({ node }) => node.type.slice(PREFIX.length)));
	expect([...used].sort()).toEqual(types);
});

describe.each(OURS)('$title', (our) => {
	const { node, description, isTool } = our;
	const { parameters } = node;

	test('has the version of the node, and fields and values that the node knows', () => {
		expect(node.typeVersion).toBe(newestVersion(description));
		expect(problemsOf(our)).toEqual([]);
	});

	test('creates nothing twice, contains no real URL, and says what a tool is for', () => {
		expect([node.retryOnFail ?? false, parameters.webhookUrl ?? '']).toEqual([false, '']);
		// The description that the model gets.
		const told = [parameters.descriptionType, parameters.toolDescription];
		expect(told).toEqual(isTool ? ['manual', matching(/^.{40,}$/)] : [undefined, undefined]);
	});
});
