import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { DataCollection } from '../../nodes/DataCollection/DataCollection.node.ts';
import { DataCollectionTrigger } from '../../nodes/DataCollection/DataCollectionTrigger.node.ts';
import { newestVersion } from '../engine/support/workflow.mts';

interface Example {
	name: string;
	nodes: INode[];
	connections: Record<string, Record<string, Array<Array<{ node: string; type: string }>>>>;
	pinData: Record<string, unknown[]>;
}

const folder = join(import.meta.dirname, '..', '..', 'examples');
const EXAMPLES = readdirSync(folder).map((file) => {
	const text = readFileSync(join(folder, file), 'utf8');
	return { file, text, example: JSON.parse(text) as Example };
});

/** What examples may be made of; test/e2e/catalog.test.mts asks n8n itself. */
const KNOWN_NODE = /^(n8n-nodes-base|@n8n\/n8n-nodes-langchain|n8n-nodes-data-collection)\./;
const NOTE = 'n8n-nodes-base.stickyNote';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const repeated = (values: string[]) =>
	values.filter((value, index) => values.indexOf(value) !== index);

/** Whether two nodes cover each other on the canvas, with the lines of the names below them. */
function overlap(one: INode, other: INode): boolean {
	const [first, second] = [one, other].map(({ type, position: [left, top], parameters }) => {
		const [width, height] = type.endsWith('.agent') ? [256, 160] : [96, 160];
		const size =
			type === NOTE ? (parameters as { width: number; height: number }) : { width, height };
		return { left, top, right: left + size.width, bottom: top + size.height };
	});
	if (!first || !second) return false;
	const isBeside = first.right <= second.left || second.right <= first.left;
	return !isBeside && first.top < second.bottom && second.top < first.bottom;
}

test('no two examples share a node ID, a webhook ID or a name', () => {
	const nodes = EXAMPLES.flatMap(({ example }) => example.nodes);
	expect(repeated(nodes.map(({ id }) => id))).toEqual([]);
	expect(repeated(nodes.flatMap(({ webhookId }) => webhookId ?? []))).toEqual([]);
	expect(repeated(EXAMPLES.map(({ example }) => example.name))).toEqual([]);
});

describe.each(EXAMPLES)('$file', ({ text, example }) => {
	const { name, nodes, connections, pinData, ...others } = example;
	const names = nodes.map((node) => node.name);
	const working = nodes.filter(({ type }) => type !== NOTE).map((node) => node.name);

	test('holds a workflow and nothing of the n8n it was made in', () => {
		expect(name).toMatch(/^Data Collection: /);
		expect(others).toEqual({ active: false, settings: { executionOrder: 'v1' } });
		// test/e2e/examples-pinned.test.mts compares them with real items.
		expect(names).toEqual(expect.arrayContaining(Object.keys(pinData)));
		expect(text).not.toMatch(/localhost|127\.0\.0\.1|instanceId|cachedResult|"credentials"/);
	});

	test('nodes have IDs of their own, names of their own and a known package', () => {
		expect(repeated(names)).toEqual([]);
		for (const { id, type, typeVersion, webhookId = id } of nodes) {
			expect(id).toMatch(UUID);
			expect(webhookId).toMatch(UUID);
			expect(type).toMatch(KNOWN_NODE);
			expect(typeVersion).toBeGreaterThan(0);
		}
	});

	test('connections lead from and to nodes of the workflow, and no node is left out', () => {
		const links = Object.values(connections).flatMap((byType) =>
			Object.entries(byType).flatMap(([type, outputs]) =>
				outputs.flat().map((link) => ({ ...link, sameType: link.type === type })),
			),
		);
		expect(links.filter(({ sameType }) => !sameType)).toEqual([]);
		const connected = [...Object.keys(connections), ...links.map(({ node }) => node)];
		expect([...new Set(connected)].sort()).toEqual(working.toSorted());
	});

	test('expressions read nodes that exist', () => {
		// In JSON a quotation mark inside a text is escaped, an apostrophe is not.
		const read = [...text.matchAll(/\$\('([^']+)'\)/g)].map(([, name = '']) => name);
		expect(read.filter((name) => !working.includes(name))).toEqual([]);
	});

	test('nodes and notes lie on the grid, from left to right, and nothing covers anything', () => {
		for (const { position } of nodes) expect(position.map((at) => at % 16)).toEqual([0, 0]);
		const covered = nodes.flatMap((one, index) =>
			nodes.slice(index + 1).flatMap((other) => {
				return overlap(one, other) ? [`${one.name} / ${other.name}`] : [];
			}),
		);
		expect(covered).toEqual([]);
		const leftOf = (wanted: string) =>
			nodes.find(({ name }) => name === wanted)?.position[0] ?? NaN;
		const backwards = Object.entries(connections).flatMap(([name, { main = [] }]) =>
			main.flat().filter(({ node }) => !(leftOf(node) > leftOf(name))),
		);
		// A loop or a new row may lead back, to a node that waits.
		const waits = nodes.filter(({ type, parameters }) => {
			return parameters.operation === 'wait' || type === 'n8n-nodes-base.wait';
		});
		const allowed = waits.map(({ name }) => name);
		expect(backwards.filter(({ node }) => !allowed.includes(node))).toEqual([]);
	});

	test('emails go to and come from addresses that belong to nobody, without advertising', () => {
		const addresses = text.match(/[\w.-]+@[\w-]+(\.[\w-]+)+/g) ?? [];
		expect(addresses.filter((address) => !address.endsWith('@example.com'))).toEqual([]);
		for (const { type, parameters } of nodes) {
			if (type !== 'n8n-nodes-base.emailSend') continue;
			expect(parameters.options).toEqual({ appendAttribution: false });
			expect(parameters.emailFormat).toBe('text');
			const fields = ['fromEmail', 'toEmail', 'subject', 'text'].map((name) => parameters[name]);
			expect(fields).not.toContain('');
		}
	});
});

const PREFIX = 'n8n-nodes-data-collection.';
const { getNodeParameters, getNodeParametersIssues } = NodeHelpers;
const descriptions = [new DataCollection().description, new DataCollectionTrigger().description];

/** Our nodes in the examples, each with the description that it has to fit. */
const OURS = EXAMPLES.flatMap(({ file, example }) =>
	example.nodes
		.filter(({ type }) => type.startsWith(PREFIX))
		.map((node) => {
			const name = node.type.slice(PREFIX.length).replace(/Tool$/, '');
			const description = descriptions.find((known) => known.name === name);
			if (description === undefined) throw new Error(`There is no node type ${node.type}`);
			const isTool = node.type.endsWith('Tool');
			return { title: `${file}: ${node.name}`, node, isTool, description };
		}),
);
type OurNode = (typeof OURS)[number];

/** What a person enters first; the sandbox does it when it imports an example. */
const entered: INodeParameters = { webhookUrl: 'https://n8n.example.com/webhook/an-id/webhook' };

/** The node's parameters as they run, without those that n8n adds to the tool of an agent. */
function parametersOf({ node, isTool }: OurNode): INodeParameters {
	const added = isTool ? ['descriptionType', 'toolDescription'] : [];
	const entries = Object.entries(node.parameters)
		.filter(([name]) => !added.includes(name))
		.map(([name, value]) => [name, value === '' ? (entered[name] ?? value) : value]);
	return Object.fromEntries(entries) as INodeParameters;
}

/** Dotted names of all fields, also inside collections and lists. */
function namesIn(value: unknown, path = ''): string[] {
	if (typeof value !== 'object' || value === null) return [path];
	if (Array.isArray(value)) return value.flatMap((entry) => namesIn(entry, `${path}[]`));
	const entries = Object.entries(value);
	if (entries.length === 0) return [path];
	return entries.flatMap(([name, inner]) => namesIn(inner, path === '' ? name : `${path}.${name}`));
}

/** The fields that the node does not show for these parameters, and what n8n finds wrong with them. */
function problemsOf({ node, description }: OurNode, parameters: INodeParameters): string[] {
	const { properties } = description;
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
		expect(problemsOf(our, parametersOf(our))).toEqual([]);
	});

	test('leaves nothing to a default that may change', () => {
		const isTrigger = description.name === 'dataCollectionTrigger';
		const isCreate = parameters.operation === 'create';
		const chosen = isTrigger ? ['triggerOn'] : ['resource', 'operation'];
		if (isCreate) chosen.push('notify', 'output');
		expect(Object.keys(parameters)).toEqual(expect.arrayContaining(chosen));
		// Nothing is created twice, and nobody's address is left in a file.
		expect(node.retryOnFail ?? false).toBe(false);
		if (isCreate) expect(parameters.webhookUrl ?? '').toBe('');
		if (!isTool) return;
		// What the model is told.
		expect(parameters.descriptionType).toBe('manual');
		expect(parameters.toolDescription).toMatch(/^.{40,}$/);
	});
});

describe('the check itself', () => {
	const create = OURS.find(({ node }) => node.parameters.operation === 'create') as OurNode;

	test.each([
		['a name that does not exist', { tempalteId: 'x' }],
		['a field of another operation', { waitForStatuses: ['completed'] }],
		['an option that does not exist', { options: { concurency: 3 } }],
		['a value that cannot be selected', { participantsMode: 'csv' }],
		['an operation that does not exist', { operation: 'delete' }],
	])('finds %s', (_what, wrong) => {
		expect(problemsOf(create, { ...parametersOf(create), ...wrong })).not.toEqual([]);
	});
});
