import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { codeBlock, codeBlocks, ROOT, section, textFile } from '../support/markdown.mts';

const EXAMPLE = section(textFile('CONTRIBUTING.md'), 'Add an operation');
const INDEX = 'nodes/DataCollection/actions/collectionRequest/index.ts';

/** The files that the section shows in full. */
const FILES = codeBlocks(EXAMPLE).filter(({ name }) => name.includes('/'));

/** The place before the first operation in a text that alphabetically follows the added one. */
const beforeLater = (operation: RegExp) => (text: string) =>
	[...text.matchAll(operation)].find(([, name = '']) => name > 'Get Status')?.index;
const after = (what: RegExp) => (text: string) => {
	const found = what.exec(text);
	return found === null ? undefined : found.index + found[0].length;
};

/** What it adds to other files, and where. */
const ADDITIONS: Array<[file: string, place: ReturnType<typeof after>, added: string]> = [
	[INDEX, after(/[^]*^import .*\n/m), codeBlock(EXAMPLE, 'import')],
	[INDEX, after(/collectionRequest: Resource = \{/), 'getStatus, '],
	[INDEX, beforeLater(/\{\s+name: '(.+)',\s+value: /g), codeBlock(EXAMPLE, 'option')],
	[
		'test/unit/descriptions.test.mts',
		after(/PARAMETERS[^]*?collectionRequest: \{/),
		codeBlock(EXAMPLE, 'names'),
	],
	['README.md', beforeLater(/^\| Collection Request \| (.+?) *\|/gm), codeBlock(EXAMPLE, 'row')],
	[
		'docs/nodes.md',
		beforeLater(/^\| Collection Request: (.+?) *\|/gm),
		codeBlock(EXAMPLE, 'output row'),
	],
];

let copy: string;

/** The Node that npm scripts find first; the linters need it if the tests run on an older one. */
const INSTALLED_NODE = join(ROOT, 'node_modules', 'node', 'bin', 'node');

/** Runs an installed tool in the copy; throws with its output. */
function run(node: string, tool: string, ...args: string[]): string {
	const command = [join(ROOT, 'node_modules', tool), ...args];
	const { status, stdout, stderr } = spawnSync(node, command, {
		cwd: copy,
		encoding: 'utf8',
		// With jest's value, one of the linters would treat every file as a node.
		env: { ...process.env, NODE_ENV: '' },
	});
	if (status !== 0) throw new Error(`${tool} ended with ${String(status)}: ${stdout}${stderr}`);
	return `${stdout}${stderr}`;
}

beforeAll(() => {
	copy = mkdtempSync(join(tmpdir(), 'contributing-'));
	const listed = ['ls-files', '-co', '--exclude-standard'];
	const files = execFileSync('git', listed, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
	for (const file of files.filter((name) => existsSync(join(ROOT, name)))) {
		cpSync(join(ROOT, file), join(copy, file));
	}
	for (const modules of ['node_modules', 'sandbox/node_modules']) {
		symlinkSync(join(ROOT, modules), join(copy, modules));
	}
	for (const { name, code } of FILES) {
		mkdirSync(dirname(join(copy, name)), { recursive: true });
		writeFileSync(join(copy, name), code);
	}
	for (const [file, place, added] of ADDITIONS) {
		const text = readFileSync(join(copy, file), 'utf8');
		const at = place(text);
		if (at === undefined) throw new Error(`${file} has no place for ${added}`);
		writeFileSync(join(copy, file), text.slice(0, at) + added + text.slice(at));
	}
	run(INSTALLED_NODE, 'prettier/bin/prettier.cjs', '--write', ...ADDITIONS.map(([file]) => file));
	run(process.execPath, 'typescript/bin/tsc');
}, 240_000);

afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('the example that adds an operation', () => {
	test("runs in n8n's engine, where its own test and those of all operations pass", () => {
		const wanted = ['getStatus', 'descriptions', 'operations', 'outputSchemas'];
		const projects = ['--selectProjects', 'unit', 'engine'];
		const output = run(process.execPath, 'jest/bin/jest.js', ...projects, '--', ...wanted);
		for (const name of wanted) expect(output).toMatch(new RegExp(`PASS .*${name}\\.test\\.mts`));
	}, 240_000);

	test.each([
		['eslint/bin/eslint.js', '--max-warnings=0', 'nodes', 'credentials', 'package.json'],
		[
			'dependency-cruiser/bin/dependency-cruiser.mjs',
			...['--config', '.dependency-cruiser.cjs', 'nodes', 'credentials'],
		],
		['prettier/bin/prettier.cjs', '--check', INDEX, ...FILES.map(({ name }) => name)],
	])(
		'passes %s',
		(tool, ...args) => {
			run(INSTALLED_NODE, tool, ...args);
		},
		240_000,
	);
});
