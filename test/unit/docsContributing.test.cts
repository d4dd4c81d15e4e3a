import { execFileSync, spawnSync } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { codeBlock, codeBlocks, codeSpans, ROOT, section, textFile } from '../support/markdown.cts';

const EXAMPLE = section(textFile('CONTRIBUTING.md'), 'Add an operation in two files');

/** What a checkout needs to compile, check and run the product. */
const COPIED = [
	'package.json',
	'index.js',
	'tsconfig.json',
	'jest.config.js',
	'.prettierrc.js',
	'.dependency-cruiser.cjs',
	'eslint.config.mjs',
	'nodes',
	'credentials',
	'icons',
	'sandbox/service',
	'sandbox/shared/http',
	'test/support',
	'test/tsconfig.jest.json',
	'test/unit/descriptions.test.cts',
	'test/engine/outputSchemas.test.cts',
];

let copy: string;

/** The Node that npm scripts find first; the linters need it where the tests run on an older one. */
const INSTALLED_NODE = join(ROOT, 'node_modules', 'node', 'bin', 'node');

/** Runs an installed tool in the copy, on the Node of this test; throws with its output. */
const run = (tool: string, ...args: string[]) => runOn(process.execPath, tool, ...args);

/** The same as an npm script would. */
const check = (tool: string, ...args: string[]) => runOn(INSTALLED_NODE, tool, ...args);

function runOn(node: string, tool: string, ...args: string[]): string {
	const command = [join(ROOT, 'node_modules', tool), ...args];
	const { status, stdout, stderr } = spawnSync(node, command, {
		cwd: copy,
		encoding: 'utf8',
		// jest's own value makes one of the linters take every file for a node.
		env: { ...process.env, NODE_ENV: '' },
	});
	if (status !== 0) throw new Error(`${tool} ended with ${String(status)}: ${stdout}${stderr}`);
	return `${stdout}${stderr}`;
}

const INDEX = 'nodes/DataCollection/actions/collectionRequest/index.ts';
const NAMES = 'test/unit/descriptions.test.cts';

/** The files that the section shows as a whole. */
const FILES = codeBlocks(EXAMPLE).filter(({ name }) => name.includes('/'));

/** Does what the section says: writes its files, the three changes of the index, and the names. */
function follow(): void {
	for (const { name, code } of FILES) {
		mkdirSync(dirname(join(copy, name)), { recursive: true });
		writeFileSync(join(copy, name), code);
	}
	writeFileSync(join(copy, INDEX), changed(readFileSync(join(copy, INDEX), 'utf8')));
	const list = readFileSync(join(copy, NAMES), 'utf8');
	const names = insertAfter(
		list,
		/PARAMETERS[^]*?collectionRequest: \{/,
		codeBlock(EXAMPLE, 'names'),
	);
	writeFileSync(join(copy, NAMES), names);
	check('prettier/bin/prettier.cjs', '--write', INDEX, NAMES);
}

/** The index with the new operation, whatever others it has. */
function changed(index: string): string {
	return [
		(text: string) => insertAfter(text, /[^]*^import .*\n/m, codeBlock(EXAMPLE, 'import')),
		(text: string) => insertAfter(text, /collectionRequest: Resource = \{/, 'getStatus, '),
		(text: string) => insertAfter(text, beforeLaterOptions(text), codeBlock(EXAMPLE, 'option')),
	].reduce((text, change) => change(text), index);
}

/** Everything up to the first option that comes after Get Status in the alphabet, or up to the end. */
function beforeLaterOptions(index: string): RegExp {
	const names = [...index.matchAll(/^\t{4}name: '(.+)',$/gm)].map(([, name = '']) => name);
	const later = names.find((name) => name > 'Get Status');
	return later === undefined
		? /[^]*?(?=\],\n\t\tdefault: )/
		: new RegExp(`[^]*?(?=\\{\\s+name: '${later}',)`);
}

function insertAfter(text: string, place: RegExp, what: string): string {
	if (!place.test(text)) throw new Error(`Nothing looks like ${String(place)}`);
	return text.replace(place, (before) => before + what);
}

beforeAll(() => {
	copy = mkdtempSync(join(tmpdir(), 'contributing-'));
	for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
	for (const modules of ['node_modules', 'sandbox/node_modules']) {
		symlinkSync(join(ROOT, modules), join(copy, modules));
	}
	follow();
	run('typescript/bin/tsc');
}, 240_000);

afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('the example that adds an operation', () => {
	const files = [...FILES.map(({ name }) => name), INDEX];

	test('is two files of code, besides the output for the editor and a test', () => {
		const kind = (name: string) => /^nodes\/.+\.ts$/.test(name);
		expect(files.filter(kind)).toHaveLength(2);
		expect(files.filter((name) => !kind(name)).map((name) => name.split('/').slice(0, 3))).toEqual([
			['nodes', 'DataCollection', '__schema__'],
			['test', 'engine', 'getStatus.test.cts'],
		]);
	});

	test('names each of them where a reader sees it', () => {
		expect(codeSpans(EXAMPLE)).toEqual(expect.arrayContaining(files));
	});

	test('names each change of the index', () => {
		const changes = ['getStatus', 'options'];
		expect(codeSpans(EXAMPLE)).toEqual(expect.arrayContaining(changes));
	});

	test('appears in the compiled node, with its parameters', () => {
		const script = `
			const { DataCollection } = require('./dist/nodes/DataCollection/DataCollection.node.js');
			const { properties } = new DataCollection().description;
			const selector = properties.find(({ name, displayOptions }) =>
				name === 'operation' && displayOptions.show.resource[0] === 'collectionRequest');
			const shown = properties.filter(({ displayOptions }) =>
				displayOptions?.show?.operation?.includes('getStatus'));
			console.log(JSON.stringify([
				selector.options.map(({ name }) => name),
				shown.map(({ displayName }) => displayName),
			]));`;
		const output = execFileSync(process.execPath, ['-e', script], { cwd: copy, encoding: 'utf8' });
		const [operations, parameters] = JSON.parse(output) as [string[], string[]];
		expect(operations).toContain('Get Status');
		expect(operations).toEqual(operations.toSorted());
		expect(parameters).toEqual(['Request ID', 'Options']);
	});

	test("runs in n8n's engine, where its own test and those of the descriptions pass", () => {
		const wanted = ['getStatus', 'descriptions', 'outputSchemas'];
		const output = run('jest/bin/jest.js', '--selectProjects', 'unit', 'engine', '--', ...wanted);
		for (const name of wanted) expect(output).toMatch(new RegExp(`PASS .*${name}\\.test\\.cts`));
	}, 240_000);

	test("passes n8n's linter, the import rules and the formatter", () => {
		check('eslint/bin/eslint.js', '--max-warnings=0', 'nodes', 'credentials', 'package.json');
		const cruise = ['--config', '.dependency-cruiser.cjs', 'nodes', 'credentials'];
		check('dependency-cruiser/bin/dependency-cruiser.mjs', ...cruise);
		check('prettier/bin/prettier.cjs', '--check', ...files);
	}, 240_000);
});
