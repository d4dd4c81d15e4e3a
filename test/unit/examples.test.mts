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

interface Example {
	name: string;
	nodes: ExampleNode[];
	connections: Record<string, Record<string, Array<Array<{ node: string; type: string }>>>>;
	pinData: Record<string, unknown[]>;
}

const folder = join(import.meta.dirname, '..', '..', 'examples');
const EXAMPLES = readdirSync(folder).map((file) => {
	const text = readFileSync(join(folder, file), 'utf8');
	return { file, text, example: JSON.parse(text) as Example };
});

/** What examples may be made of; test/e2e/examples-files.test.mts asks n8n itself. */
const KNOWN_NODE = /^(n8n-nodes-base|@n8n\/n8n-nodes-langchain|n8n-nodes-data-collection)\./;
const NOTE = 'n8n-nodes-base.stickyNote';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The two colours of notes: what the workflow is about, and hints. */
const OVERVIEW = 4;
const HINT = 7;

const repeated = (values: string[]) =>
	values.filter((value, index) => values.indexOf(value) !== index);

/** Whether two nodes cover each other on the canvas, with the lines of the names below them. */
function overlap(one: ExampleNode, other: ExampleNode): boolean {
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
	const { nodes, connections, pinData } = example;
	const names = nodes.map(({ name }) => name);
	const notes = nodes.filter(({ type }) => type === NOTE);
	const working = nodes.filter(({ type }) => type !== NOTE).map(({ name }) => name);

	test('holds a workflow and nothing of the n8n it was made in', () => {
		expect(example).toEqual({
			...{ nodes, connections, pinData, active: false, settings: { executionOrder: 'v1' } },
			name: expect.stringMatching(/^Data Collection: /) as string,
		});
		// test/e2e/examples-pinned.test.mts compares them with real items.
		expect(names).toEqual(expect.arrayContaining(Object.keys(pinData)));
		expect(text).not.toMatch(/localhost|127\.0\.0\.1|instanceId|cachedResult|"credentials"/);
	});

	test('nodes have IDs of their own, names of their own and a known package', () => {
		expect(repeated(names)).toEqual([]);
		for (const { id, type, typeVersion, webhookId = id } of nodes) {
			expect([id, webhookId, type]).toEqual([
				...[UUID, UUID, KNOWN_NODE].map((pattern) => expect.stringMatching(pattern) as string),
			]);
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

	test('notes say what it does and what to choose first, in two colours', () => {
		const [about, ...hints] = notes
			.map(({ parameters }) => parameters)
			.sort((one, other) => Number(one.color) - Number(other.color));
		expect([about?.color, ...new Set(hints.map(({ color }) => color))]).toEqual([OVERVIEW, HINT]);
		expect(about?.content).toMatch(/\n### Choose first\n[^]*\n### Try it\n/);
		for (const { parameters } of notes) expect(parameters.content).toMatch(/^## \S.*\n\n\S/);
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
		// A loop may lead back, to a node that waits.
		const waits = nodes.filter(({ parameters }) => parameters.operation === 'wait');
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
