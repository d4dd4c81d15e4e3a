import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface ExampleNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Record<string, unknown>;
	webhookId?: string;
}

interface Link {
	node: string;
	type: string;
	index: number;
}

interface Example {
	name: string;
	nodes: ExampleNode[];
	connections: Record<string, Record<string, Link[][]>>;
	pinData: Record<string, unknown[]>;
	settings: object;
	active: boolean;
}

const folder = join(import.meta.dirname, '..', '..', 'examples');
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');
const read = (file: string) => JSON.parse(textOf(file)) as Example;

const noteType = 'n8n-nodes-base.stickyNote';
const isNote = ({ type }: ExampleNode) => type === noteType;

/** What examples may be made of; test/e2e/examples-files.test.mts asks n8n itself. */
const packages = ['n8n-nodes-base.', '@n8n/n8n-nodes-langchain.', 'n8n-nodes-data-collection.'];

/** The two colours of notes: what the workflow is about, and hints. */
const overview = 4;
const hint = 7;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const repeated = (values: string[]) =>
	values.filter((value, index) => values.indexOf(value) !== index);

/** Every text in the parameters of a node, with the assignments and conditions inside. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap(textsIn);
}

/** The names of the nodes whose output an expression reads. */
const readBy = (text: string) =>
	[...text.matchAll(/\$\('([^']+)'\)/g)].map(([, name = '']) => name);

interface Area {
	name: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/** The place a node takes on the canvas, with the lines of its name below it. */
function areaOf({ name, type, position, parameters }: ExampleNode): Area {
	const [left, top] = position;
	if (type === noteType) {
		const { width, height } = parameters as { width: number; height: number };
		return { name, left, top, right: left + width, bottom: top + height };
	}
	const width = type.endsWith('.agent') ? 256 : 96;
	return { name, left, top, right: left + width, bottom: top + 96 + 64 };
}

const overlap = (one: Area, other: Area) =>
	one.left < other.right &&
	other.left < one.right &&
	one.top < other.bottom &&
	other.top < one.bottom;

test('all eight examples are there', () => {
	expect(files.sort()).toEqual([
		'ai-agent.json',
		'completed-to-rows.json',
		'csv-bulk.json',
		'form-to-email.json',
		'invite-remind-collect.json',
		'many-at-once.json',
		'no-public-address.json',
		'nothing-missed.json',
	]);
});

test('no two examples share a node ID, a webhook ID or a name', () => {
	const examples = files.map(read);
	const nodes = examples.flatMap((example) => example.nodes);
	expect(repeated(nodes.map(({ id }) => id))).toEqual([]);
	expect(repeated(nodes.flatMap(({ webhookId }) => webhookId ?? []))).toEqual([]);
	expect(repeated(examples.map(({ name }) => name))).toEqual([]);
});

describe.each(files)('%s', (file) => {
	const example = read(file);
	const { nodes, connections } = example;
	const names = nodes.map(({ name }) => name);
	const working = nodes.filter((node) => !isNote(node));
	const notes = nodes.filter(isNote);

	test('holds a workflow and nothing of the n8n it was made in', () => {
		expect(Object.keys(example).sort()).toEqual(
			['active', 'connections', 'name', 'nodes', 'pinData', 'settings'].sort(),
		);
		// test/e2e/examples-pinned.test.mts compares them with real items.
		for (const name of Object.keys(example.pinData)) expect(names).toContain(name);
		expect(example.active).toBe(false);
		expect(example.settings).toEqual({ executionOrder: 'v1' });
		expect(example.name).toMatch(/^Data Collection: /);
		for (const node of nodes) expect(node).not.toHaveProperty('credentials');
		expect(textOf(file)).not.toMatch(/localhost|127\.0\.0\.1|instanceId|cachedResult/);
	});

	test('nodes have IDs of their own, names of their own and a known package', () => {
		expect(repeated(names)).toEqual([]);
		for (const { id, type, typeVersion, webhookId } of nodes) {
			expect(id).toMatch(uuid);
			if (webhookId !== undefined) expect(webhookId).toMatch(uuid);
			expect(packages.some((known) => type.startsWith(known))).toBe(true);
			expect(typeVersion).toBeGreaterThan(0);
		}
	});

	test('connections lead from and to nodes of the workflow, and no node is left out', () => {
		const links = Object.values(connections).flatMap((byType) =>
			Object.entries(byType).flatMap(([type, outputs]) =>
				outputs.flat().map((link) => ({ ...link, sameType: link.type === type })),
			),
		);
		for (const name of Object.keys(connections)) expect(names).toContain(name);
		for (const { node, sameType } of links) {
			expect(working.map(({ name }) => name)).toContain(node);
			expect(sameType).toBe(true);
		}
		const connected = new Set([...Object.keys(connections), ...links.map(({ node }) => node)]);
		expect(working.map(({ name }) => name).filter((name) => !connected.has(name))).toEqual([]);
	});

	test('expressions read nodes that exist', () => {
		const read = nodes.flatMap(({ parameters }) => textsIn(parameters)).flatMap(readBy);
		for (const name of read) expect(working.map((node) => node.name)).toContain(name);
	});

	test('notes say what it does and what to set, in two colours', () => {
		const colours = notes.map(({ parameters }) => parameters.color);
		expect(colours.filter((colour) => colour === overview)).toHaveLength(1);
		expect(colours.filter((colour) => colour === hint)).toHaveLength(notes.length - 1);
		expect(notes.length).toBeGreaterThan(1);
		for (const { parameters } of notes) expect(parameters.content).toMatch(/^## \S.*\n\n\S/);
	});

	test('nodes and notes lie on the grid, from left to right, and nothing covers anything', () => {
		for (const { position } of nodes) expect(position.map((at) => at % 16)).toEqual([0, 0]);
		const areas = nodes.map(areaOf);
		const covered = areas.flatMap((one, index) =>
			areas.slice(index + 1).flatMap((other) => {
				return overlap(one, other) ? [`${one.name} / ${other.name}`] : [];
			}),
		);
		expect(covered).toEqual([]);
		const left = new Map(nodes.map(({ name, position }) => [name, position[0]]));
		// A loop may lead back, to a node that waits.
		const waits = nodes.flatMap(({ name, parameters }) =>
			parameters.operation === 'wait' ? [name] : [],
		);
		const backwards = Object.entries(connections).flatMap(([name, { main = [] }]) =>
			main.flat().filter(({ node }) => (left.get(node) ?? 0) <= (left.get(name) ?? Infinity)),
		);
		expect(backwards.filter(({ node }) => !waits.includes(node))).toEqual([]);
	});

	test('its note says what to choose first, before how to try it', () => {
		const [about] = notes.filter(({ parameters }) => parameters.color === overview);
		expect(about?.parameters.content).toMatch(/\n### Choose first\n[^]*\n### Try it\n/);
	});

	test('emails go to and come from addresses that belong to nobody, without advertising', () => {
		const addresses = textOf(file).match(/[\w.-]+@[\w-]+(\.[\w-]+)+/g) ?? [];
		for (const address of addresses) expect(address).toMatch(/@example\.com$/);
		for (const { type, parameters } of nodes) {
			if (type !== 'n8n-nodes-base.emailSend') continue;
			expect(parameters.options).toEqual({ appendAttribution: false });
			expect(parameters).toMatchObject({ emailFormat: 'text' });
			for (const field of ['fromEmail', 'toEmail', 'subject', 'text']) {
				expect(parameters[field]).not.toBe('');
			}
		}
	});
});
