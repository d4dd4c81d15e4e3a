import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
	bolds,
	codeBlocks,
	codeSpans,
	DOCUMENTS,
	ROOT,
	section,
	tableRows,
	targets,
	textFile,
} from '../engine/support/markdown.mts';

/** A path of this repository: below one of its folders, or a file beside them. */
const PATH =
	/^(?:(?:\.github|bench|credentials|docs|examples|icons|nodes|sandbox|scripts|test)\/[\w./-]*|[\w.-]+\.(?:mjs|cjs|js|json|md))$/;

/** The files that a text names, without those that it shows as a block for the reader to make. */
function pathsOf(markdown: string): string[] {
	const shown = codeBlocks(markdown).map(({ name }) => name);
	return codeSpans(markdown).filter((code) => PATH.test(code) && !shown.includes(code));
}

test.each(DOCUMENTS)('every file that %s names is there', (document) => {
	expect(pathsOf(textFile(document)).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('no file of code names a document that is not there', () => {
	const folders = ['nodes', 'credentials', 'sandbox', 'test', 'bench', 'scripts'];
	const listed = ['ls-files', '-co', '--exclude-standard', ...folders];
	const files = execFileSync('git', listed, { cwd: ROOT, encoding: 'utf8' })
		.split('\n')
		.filter((file) => /\.([cm]?ts|eta)$/.test(file));
	expect(files.length).toBeGreaterThan(100);
	const known = DOCUMENTS.map((document) => basename(document));
	const named = files
		.filter((file) => existsSync(join(ROOT, file)))
		.flatMap((file) =>
			[...textFile(file).matchAll(/[\w-]+\.md\b/g)].map(([name]) => ({ file, name })),
		);
	expect(named.filter(({ name }) => !known.includes(name))).toEqual([]);
});

describe('docs/guidelines.md', () => {
	const page = textFile('docs/guidelines.md');
	const rows = tableRows(page);

	test('answers each point, and gives a reason for each that is not met', () => {
		expect(rows.length).toBeGreaterThan(40);
		for (const [point, met, reason] of rows) {
			expect([point, met]).toEqual([point, expect.stringMatching(/^(Yes|No|Does not apply)$/)]);
			if (met !== 'Yes') expect([point, reason]).toEqual([point, expect.stringMatching(/.{20}/)]);
		}
	});

	test('shows most of it with a file', () => {
		const shown = rows.filter(([, met, where = '']) => met === 'Yes' && pathsOf(where).length > 0);
		expect(shown.length).toBeGreaterThan(25);
	});

	test("cites n8n's documentation and nothing else", () => {
		expect(targets(page).length).toBeGreaterThan(4);
		for (const target of targets(page))
			expect(target).toMatch(/^https:\/\/docs\.n8n\.io\/connect\//);
		expect(bolds(page)).toEqual(['Yes', 'Does not apply', 'No']);
	});
});

test('SECURITY.md shows each promise with the code and a test', () => {
	const rows = tableRows(section(textFile('SECURITY.md'), 'What the package promises'));
	expect(rows.length).toBeGreaterThan(10);
	for (const [promise, shown = ''] of rows) {
		const [code, proof, ...others] = pathsOf(shown);
		expect([promise, code, others]).toEqual([promise, expect.any(String), []]);
		expect([promise, proof]).toEqual([promise, expect.stringMatching(/^test\/.+\.test\.[cm]ts$/)]);
	}
});
