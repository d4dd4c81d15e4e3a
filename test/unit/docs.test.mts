import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { DataCollectionApi } from '../../credentials/DataCollectionApi.credentials.ts';
import {
	anchors,
	codeBlocks,
	codeSpans,
	DOCUMENTS,
	ROOT,
	targets,
	textFile,
} from '../support/markdown.mts';

interface Manifest {
	homepage: string;
	scripts: Record<string, string>;
}
const { homepage, scripts } = JSON.parse(textFile('package.json')) as Manifest;
const HOME = homepage.replace(/#.*$/, '');

/** A path in this repository: inside one of its folders, or a top-level file. */
const PATH =
	/^(?:(?:\.github|bench|credentials|docs|examples|icons|nodes|sandbox|scripts|test)\/[\w./-]*|[\w.-]+\.(?:mjs|cjs|js|json|md))$/;

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

/** The npm scripts and files that commands in a text run, and that do not exist. */
function missingCommands(text: string): string[] {
	const names = [...text.matchAll(/\bnpm run (?:-s )?([a-z][\w:-]*)/g)].map(
		([, name = '']) => name,
	);
	const run = [...text.matchAll(/\bnode (?:scripts\/bootstrap\.mjs \S+ )?([\w./-]+\.m?[jt]s)/g)];
	const files = run.map(([, file = '']) => file);
	return [
		...names.filter((name) => !(name in scripts)),
		...files.filter((file) => !existsSync(join(ROOT, file))),
	];
}

describe.each(DOCUMENTS)('%s', (document) => {
	const text = textFile(document);
	const blocks = codeBlocks(text);
	/** The files that it shows for the reader to create. */
	const shown = blocks.map(({ name }) => name);

	test('has no link or picture that leads nowhere', () => {
		expect(targets(text).filter((target) => !isThere(document, target))).toEqual([]);
	});

	test('names files and commands that are there', () => {
		const paths = codeSpans(text).filter((code) => PATH.test(code) && !shown.includes(code));
		expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
		const sh = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code);
		const missing = missingCommands([...codeSpans(text), ...sh].join('\n'));
		expect(missing.filter((name) => !shown.includes(name))).toEqual([]);
	});
});

test("the help links of n8n's panels lead to what is there", () => {
	const codex = ['DataCollection', 'DataCollectionTrigger'].map((name) =>
		textFile(`nodes/DataCollection/${name}.node.json`),
	);
	const urls = [...codex.join().matchAll(/"url": "([^"]+)"/g)].map(([, url = '']) => url);
	const links = [...urls, new DataCollectionApi().documentationUrl];
	expect(links).toHaveLength(5);
	expect(links.filter((link) => !link.startsWith(HOME) || !isThere('', link))).toEqual([]);
});
