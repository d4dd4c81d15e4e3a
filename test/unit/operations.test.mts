// Everything an operation needs, derived from the operations themselves: a missing part fails with a
// sentence that says what to add. descriptions.test.mts does the same for the names of parameters.
import type { INodePropertyOptions } from 'n8n-workflow';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DataCollection } from '../../nodes/DataCollection/DataCollection.node.ts';
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

/** The operations in the table of docs/nodes.md. */
const ROWS = tableRows(section(textFile('docs/nodes.md'), 'Operations')).map(([label]) => label);

const ENGINE_TESTS = readdirSync(join(ROOT, 'test/engine'))
	.filter((name) => name.endsWith('.test.mts'))
	.map((name) => textFile(join('test/engine', name)))
	.join('\n');

function missing({ values, label }: Operation): string[] {
	const schema = `nodes/DataCollection/__schema__/v1.0.0/${values}.json`;
	const operation = values.split('/')[1] ?? '';
	const needed: Array<[isThere: boolean, sentence: string]> = [
		[existsSync(join(ROOT, schema)), `Add ${schema}: what the editor shows of its output`],
		[ROWS.includes(label), `Add "${label}" to the table under Operations in docs/nodes.md`],
		[ENGINE_TESTS.includes(`'${operation}'`), `Add a test of '${operation}' to test/engine`],
	];
	return needed.flatMap(([isThere, sentence]) => (isThere ? [] : [sentence]));
}

test.each(OPERATIONS)('$label has what goes with an operation', (operation) => {
	expect(missing(operation)).toEqual([]);
});

test('docs/nodes.md has no others, in the order of the editor', () => {
	const labels = OPERATIONS.map(({ label }) => label);
	expect(ROWS).toEqual(labels);
});
