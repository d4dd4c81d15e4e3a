import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode, INodeParameters, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { DataCollection } from '../../nodes/DataCollection/DataCollection.node.ts';
import { DataCollectionTrigger } from '../../nodes/DataCollection/DataCollectionTrigger.node.ts';
import { newestVersion } from '../engine/support/workflow.mts';

const action = new DataCollection().description;
const trigger = new DataCollectionTrigger().description;

const prefix = 'n8n-nodes-data-collection.';
const folder = join(import.meta.dirname, '..', '..', 'examples');

/** Fields that n8n adds to a node that is the tool of an agent. */
const toolFields = ['descriptionType', 'toolDescription'];

interface OurNode {
	title: string;
	node: INode;
	isTool: boolean;
	description: INodeTypeDescription;
}

function nodesOf(file: string): OurNode[] {
	const { nodes } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { nodes: INode[] };
	return nodes
		.filter(({ type }) => type.startsWith(prefix))
		.map((node) => {
			const isTool = node.type.endsWith('Tool');
			const name = node.type.slice(prefix.length, isTool ? -'Tool'.length : undefined);
			const description = [action, trigger].find((known) => known.name === name);
			if (description === undefined) throw new Error(`There is no node type ${node.type}`);
			return { title: `${file}: ${node.name}`, node, isTool, description };
		});
}

const ours = readdirSync(folder)
	.filter((file) => file.endsWith('.json'))
	.flatMap(nodesOf);

/** What a person enters first; the sandbox does it when it imports an example. */
const entered: INodeParameters = { webhookUrl: 'https://n8n.example.com/webhook/an-id/webhook' };

/** The node's parameters as they run, without those that n8n adds to a tool. */
function parametersOf({ node, isTool }: OurNode): INodeParameters {
	const entries = Object.entries(node.parameters)
		.filter(([name]) => !isTool || !toolFields.includes(name))
		.map(([name, value]) => [name, value === '' ? (entered[name] ?? value) : value]);
	return Object.fromEntries(entries) as INodeParameters;
}

/** What n8n keeps of the parameters: the fields that the node shows for them. */
function keptBy({ node, description }: OurNode, parameters: INodeParameters) {
	return NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		true,
		false,
		node,
		description,
	);
}

/** Dotted names of all fields, also inside collections and lists. */
function namesIn(value: unknown, path = ''): string[] {
	if (typeof value !== 'object' || value === null) return [path];
	if (Array.isArray(value)) return value.flatMap((entry) => namesIn(entry, `${path}[]`));
	const entries = Object.entries(value);
	if (entries.length === 0) return [path];
	return entries.flatMap(([name, inner]) => namesIn(inner, path === '' ? name : `${path}.${name}`));
}

function problemsOf(our: OurNode, parameters = parametersOf(our)): string[] {
	const { node, description } = our;
	const kept = namesIn(keptBy(our, parameters));
	const unknown = namesIn(parameters).filter((name) => !kept.includes(name));
	const issues = NodeHelpers.getNodeParametersIssues(
		description.properties,
		{ ...node, parameters },
		description,
	);
	return [
		...unknown.map((name) => `${name} is no field that the node shows`),
		...Object.values(issues?.parameters ?? {}).flat(),
	];
}

test('the examples use the trigger, the action and the tool', () => {
	expect([...new Set(ours.map(({ node }) => node.type))].sort()).toEqual([
		`${prefix}dataCollection`,
		`${prefix}dataCollectionTool`,
		`${prefix}dataCollectionTrigger`,
	]);
});

describe.each(ours)('$title', (our) => {
	test('has the version of the node, and fields and values that the node knows', () => {
		expect(our.node.typeVersion).toBe(newestVersion(our.description));
		expect(problemsOf(our)).toEqual([]);
	});

	test('names its resource and operation, so that a new default changes nothing', () => {
		if (our.description === trigger) return expect(our.node.parameters.triggerOn).toBeDefined();
		expect(our.node.parameters.resource).toBeDefined();
		expect(our.node.parameters.operation).toBeDefined();
	});

	test('says whom a create notifies and what comes out, and never repeats one on its own', () => {
		expect(our.node.retryOnFail ?? false).toBe(false);
		if (our.node.parameters.operation !== 'create') return;
		expect(our.node.parameters.notify).toBeDefined();
		expect(our.node.parameters.output).toBeDefined();
		// The address is one of n8n's own: nobody's is left in a file.
		expect(our.node.parameters.webhookUrl ?? '').toBe('');
	});
});

describe.each(ours.filter(({ isTool }) => isTool))('$title, as a tool', ({ node }) => {
	test('tells the model what it does', () => {
		expect(node.parameters.descriptionType).toBe('manual');
		expect(node.parameters.toolDescription).toMatch(/^.{40,}$/);
	});
});

describe('the check itself', () => {
	const create = ours.find(({ node }) => node.parameters.operation === 'create') as OurNode;
	const given = parametersOf(create);

	test.each([
		['a name that does not exist', { ...given, tempalteId: 'x' }],
		['a field of another operation', { ...given, waitForStatuses: ['completed'] }],
		['an option that does not exist', { ...given, options: { concurency: 3 } }],
		['a value that cannot be selected', { ...given, participantsMode: 'csv' }],
		['an operation that does not exist', { ...given, operation: 'delete' }],
	])('finds %s', (_what, parameters) => {
		expect(problemsOf(create, parameters)).not.toEqual([]);
	});
});
