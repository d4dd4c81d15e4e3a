// Everything an operation needs, derived from the operations themselves: a missing part fails with a
// sentence that says what to add. descriptions.test.mts does the same for the names of parameters.
import type { INodePropertyOptions } from 'n8n-workflow';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DataCollection } from '../../nodes/DataCollection/DataCollection.node.ts';
import { yaml } from '../support/github.mts';
import { ROOT, section, tableRows, textFile } from '../support/markdown.mts';

interface Operation {
	/** The values of the resource and the operation in the selectors. */
	values: string;
	/** The label of both, as the user sees it. */
	label: string;
}

/** The options of a selector. */
const choicesOf = (selector: string, resource?: string) =>
	new DataCollection().description.properties
		.filter(({ name }) => name === selector)
		.filter(({ displayOptions }) => displayOptions?.show?.resource?.[0] === resource)
		.flatMap(({ options = [] }) => options as INodePropertyOptions[]);

const OPERATIONS = choicesOf('resource').flatMap((resource) =>
	choicesOf('operation', String(resource.value)).map(({ name, value }): Operation => {
		return { values: `${resource.value}/${value}`, label: `${resource.name}: ${name}` };
	}),
);

/** The operations in the table of README.md. */
const ROWS = tableRows(section(textFile('README.md'), 'Operations').split('\n### ')[0] ?? '').map(
	([resource, operation]) => `${resource}: ${operation}`,
);

/** The operations in the table of docs/nodes.md. */
const OUTPUTS = tableRows(section(textFile('docs/nodes.md'), 'Operations')).map(([label]) => label);

const ENGINE_TESTS = readdirSync(join(ROOT, 'test/engine'))
	.filter((name) => name.endsWith('.test.mts'))
	.map((name) => textFile(join('test/engine', name)))
	.join('\n');

const { body } = yaml('ISSUE_TEMPLATE/bug.yml') as {
	body: Array<{ id: string; attributes: { options: string[] } }>;
};
const PLACES = body.find(({ id }) => id === 'where')?.attributes.options ?? [];

function missing({ values, label }: Operation): string[] {
	const schema = `nodes/DataCollection/__schema__/v1.0.0/${values}.json`;
	const operation = values.split('/')[1] ?? '';
	const needed: Array<[isThere: boolean, sentence: string]> = [
		[existsSync(join(ROOT, schema)), `Add ${schema}: what the editor shows of its output`],
		[ROWS.includes(label), `Add "${label}" to the table under Operations in README.md`],
		[OUTPUTS.includes(label), `Add "${label}" to the table under Operations in docs/nodes.md`],
		[ENGINE_TESTS.includes(`'${operation}'`), `Add a test of '${operation}' to test/engine`],
	];
	return needed.flatMap(([isThere, sentence]) => (isThere ? [] : [sentence]));
}

test.each(OPERATIONS)('$label has what goes with an operation', (operation) => {
	expect(missing(operation)).toEqual([]);
});

test('what is missing is said', () => {
	expect(missing({ values: 'share/delete', label: 'Share: Delete' })).toEqual([
		'Add nodes/DataCollection/__schema__/v1.0.0/share/delete.json: what the editor shows of its output',
		'Add "Share: Delete" to the table under Operations in README.md',
		'Add "Share: Delete" to the table under Operations in docs/nodes.md',
		"Add a test of 'delete' to test/engine",
	]);
});

test('README.md and docs/nodes.md have no others, in the order of the editor', () => {
	const labels = OPERATIONS.map(({ label }) => label);
	expect([ROWS, OUTPUTS]).toEqual([labels, labels]);
});

test('the form for bugs asks for the resource', () => {
	const resources = choicesOf('resource').map(({ name }) => name);
	const others = ['Data Collection Trigger', 'Credential', 'Sandbox or tests'];
	expect(PLACES).toEqual([...resources, ...others]);
});

/** The messages in the documents, with their samples between `<` and `>`. */
const DOCUMENTED = tableRows(textFile('docs/messages.md')).map(([cell = '']) =>
	cell.slice(1, -1).replace(/<(.+?)>/g, '$1'),
);

/** Matches a message in the code of an operation. */
const MESSAGE =
	/(?:inputError\(\s*[\w{} ]+,\s*\w+,\s*|hint\(run, |const message =\s*)(?<quote>['"`])(?<text>.+?)\k<quote>/g;

/** The message as a pattern: `${…}` matches anything. */
function patternOf(message: string): RegExp {
	const parts = message.split(/\$\{.+?\}/);
	const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^${escaped.join('.+')}$`);
}

test('every message of an operation is explained', () => {
	const folder = 'nodes/DataCollection/actions';
	const messages = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.flatMap((name) => [...textFile(join(folder, name)).matchAll(MESSAGE)])
		.map(({ groups }) => groups?.text ?? '');
	expect(messages.length).toBeGreaterThan(25);
	const unknown = messages.filter((message) => {
		const pattern = patternOf(message);
		return !DOCUMENTED.some((documented) => pattern.test(documented));
	});
	const toDo = 'to docs/messages.md, and a case that gives it to test/engine/messages.test.mts';
	expect(unknown.map((message) => `Add "${message}" ${toDo}`)).toEqual([]);
});
