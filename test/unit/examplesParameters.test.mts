import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode, INodeParameters, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { DataCollection } from '../../nodes/DataCollection/DataCollection.node.ts';
import { DataCollectionTrigger } from '../../nodes/DataCollection/DataCollectionTrigger.node.ts';
import { newestVersion } from '../engine/support/workflow.mts';

const PREFIX = 'n8n-nodes-data-collection.';
const FOLDER = join(import.meta.dirname, '..', '..', 'examples');

const { getNodeParameters, getNodeParametersIssues } = NodeHelpers;
const descriptions = [new DataCollection().description, new DataCollectionTrigger().description];

interface OurNode {
	title: string;
	node: INode;
	isTool: boolean;
	description: INodeTypeDescription;
}

const ours = readdirSync(FOLDER).flatMap((file): OurNode[] => {
	const { nodes } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as { nodes: INode[] };
	return nodes
		.filter(({ type }) => type.startsWith(PREFIX))
		.map((node) => {
			const name = node.type.slice(PREFIX.length).replace(/Tool$/, '');
			const description = descriptions.find((known) => known.name === name);
			if (description === undefined) throw new Error(`There is no node type ${node.type}`);
			const isTool = node.type.endsWith('Tool');
			return { title: `${file}: ${node.name}`, node, isTool, description };
		});
});

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
	const used = new Set(ours.map(({ node }) => node.type.slice(PREFIX.length)));
	expect([...used].sort()).toEqual(types);
});

describe.each(ours)('$title', (our) => {
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
	const create = ours.find(({ node }) => node.parameters.operation === 'create') as OurNode;

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
