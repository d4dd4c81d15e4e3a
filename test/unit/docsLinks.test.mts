import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { DataCollectionApi } from '../../credentials/DataCollectionApi.credentials.ts';
import { wrongCommands } from '../support/commands.mts';
import { manifest, yaml } from '../support/github.mts';
import {
	anchors,
	codeBlocks,
	codeSpans,
	DOCUMENTS,
	ROOT,
	section,
	tableRows,
	targets,
	textFile,
} from '../support/markdown.mts';
import { matching } from '../support/matchers.mts';

const HOME = manifest('.').homepage.replace(/#.*$/, '');

/** A path in this repository: inside one of its folders, or a top-level file. */
const PATH =
	/^(?:(?:\.github|bench|credentials|docs|examples|icons|nodes|sandbox|scripts|test)\/[\w./-]*|[\w.-]+\.(?:mjs|cjs|js|json|md))$/;

/** The files that a text names, except those that it shows as a block for the reader to create. */
function pathsOf(markdown: string): string[] {
	const shown = codeBlocks(markdown).map(({ name }) => name);
	return codeSpans(markdown).filter((code) => PATH.test(code) && !shown.includes(code));
}

/** Whether the target of a link in a document exists. */
function isThere(document: string, target: string): boolean {
	if (target.startsWith(HOME)) {
		const [, file] = /^\/blob\/main\/(.+)$/.exec(target.slice(HOME.length)) ?? [];
		if (file !== undefined) return existsSync(join(ROOT, file));
		return /^(\/(issues|security\/advisories\/new))?$/.test(target.slice(HOME.length));
	}
	if (/^https?:/.test(target)) return target.startsWith('https:');
	const [path, anchor] = target.split('#');
	const file = path ? normalize(join(dirname(document), decodeURIComponent(path))) : document;
	if (!existsSync(join(ROOT, file))) return false;
	return anchor === undefined || anchors(textFile(file)).includes(anchor);
}

describe.each(DOCUMENTS)('%s', (document) => {
	const text = textFile(document);

	test('has no link or picture that leads nowhere', () => {
		expect(targets(text).filter((target) => !isThere(document, target))).toEqual([]);
	});

	test('names files that are there', () => {
		expect(pathsOf(text).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
	});

	test('names commands that exist', () => {
		const blocks = codeBlocks(text);
		const scripts = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code);
		const wrong = wrongCommands([...codeSpans(text), ...scripts].join('\n'));
		const shown = blocks.map(({ name }) => `node ${name}`);
		expect(wrong.filter((command) => !shown.includes(command))).toEqual([]);
	});
});

test('no file of code names a document that is not there', () => {
	const folders = ['nodes', 'credentials', 'sandbox', 'test', 'bench', 'scripts'];
	const listed = ['ls-files', '-co', '--exclude-standard', ...folders];
	const files = execFileSync('git', listed, { cwd: ROOT, encoding: 'utf8' })
		.split('\n')
		.filter((file) => /\.([cm]?ts|eta)$/.test(file) && existsSync(join(ROOT, file)));
	expect(files.length).toBeGreaterThan(100);
	const named = files.flatMap((file) => textFile(file).match(/[\w-]+\.md\b/g) ?? []);
	const known = DOCUMENTS.map((document) => basename(document));
	expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

test('every example is shown with its file and its picture', () => {
	const names = readdirSync(join(ROOT, 'examples')).map((file) => basename(file, '.json'));
	expect(names.length).toBeGreaterThan(7);
	const wanted = names.flatMap((name) => [`images/${name}.png`, `../examples/${name}.json`]);
	expect(targets(textFile('docs/examples.md'))).toEqual(expect.arrayContaining(wanted));
});

test("the help links of n8n's panels and of the issues lead to what is there", () => {
	const codex = ['DataCollection', 'DataCollectionTrigger'].map((name) =>
		textFile(`nodes/DataCollection/${name}.node.json`),
	);
	const urls = [...codex.join().matchAll(/"url": "([^"]+)"/g)].map(([, url = '']) => url);
	const links = [...urls, new DataCollectionApi().documentationUrl];
	expect(links).toHaveLength(5);
	expect(links.filter((link) => !link.startsWith(HOME) || !isThere('', link))).toEqual([]);
	const { contact_links: contacts } = yaml('ISSUE_TEMPLATE/config.yml') as {
		contact_links: Array<{ url: string }>;
	};
	expect(contacts.map(({ url }) => url).filter((url) => !isThere('', url))).toEqual([]);
	expect(contacts[0]?.url).toBe(`${HOME}/security/advisories/new`);
});

test('docs/security.md shows each promise with the code and a test', () => {
	const rows = tableRows(section(textFile('docs/security.md'), 'What the package promises'));
	expect(rows.length).toBeGreaterThan(10);
	for (const [promise, shown = ''] of rows) {
		expect([promise, pathsOf(shown).join(' ')]).toEqual([promise, matching(/ test\/\S+\.mts$/)]);
	}
});
