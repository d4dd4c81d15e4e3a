import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { DataCollectionApi } from '../../credentials/DataCollectionApi.credentials.ts';
import { wrongCommands } from '../engine/support/commands.mts';
import { manifest } from '../engine/support/github.mts';
import {
	anchors,
	codeBlocks,
	codeSpans,
	DOCUMENTS,
	ROOT,
	targets,
	textFile,
} from '../engine/support/markdown.mts';

const EXAMPLES = [
	'form-to-email',
	'completed-to-rows',
	'invite-remind-collect',
	'many-at-once',
	'no-public-address',
	'nothing-missed',
	'csv-bulk',
	'ai-agent',
];

/** What README.md shows of each. */
const SHOWN = EXAMPLES.flatMap((name) => [`docs/images/${name}.png`, `examples/${name}.json`]);

const HOME = manifest('.').homepage.replace(/#.*$/, '');

/** Whether there is something at the target of a link in a document. */
function isThere(document: string, target: string): boolean {
	if (target.startsWith('#')) return anchors(textFile(document)).includes(target.slice(1));
	const [path = '', anchor] = target.split('#');
	const file = normalize(join(dirname(document), decodeURIComponent(path)));
	if (!existsSync(join(ROOT, file))) return false;
	return anchor === undefined || anchors(textFile(file)).includes(anchor);
}

test('these are the documents', () => {
	expect(DOCUMENTS).toEqual([
		'.github/PULL_REQUEST_TEMPLATE.md',
		'CHANGELOG.md',
		'CONTRIBUTING.md',
		'LICENSE.md',
		'README.md',
		'SECURITY.md',
		'docs/guidelines.md',
		'docs/messages.md',
		'docs/performance.md',
		'docs/reliability.md',
		'docs/scaling.md',
		'docs/service-api.md',
		'docs/verify-signatures.md',
	]);
});

describe.each(DOCUMENTS)('%s', (document) => {
	const all = targets(textFile(document));

	test('has no link or picture that leads nowhere', () => {
		const local = all.filter((target) => !/^https?:/.test(target));
		expect(local.filter((target) => !isThere(document, target))).toEqual([]);
	});

	test('leads to other places by https, and into its own repository to what is there', () => {
		for (const target of all.filter((link) => /^https?:/.test(link))) {
			expect(target).toMatch(/^https:/);
			if (!target.startsWith(HOME)) continue;
			expect(target.slice(HOME.length)).toMatch(/^(\/(issues|security\/advisories\/new))?$/);
		}
	});

	test('names commands that exist', () => {
		const text = textFile(document);
		const blocks = codeBlocks(text).filter(({ language }) => language === 'sh');
		const commands = [...codeSpans(text), ...blocks.map(({ code }) => code)].join('\n');
		const files = codeBlocks(text).flatMap(({ name }) => (name === '' ? [] : [`node ${name}`]));
		expect(wrongCommands(commands).filter((wrong) => !files.includes(wrong))).toEqual([]);
	});
});

test('every example has its recipe and its picture', () => {
	const shown = targets(textFile('README.md'));
	expect(SHOWN.filter((file) => !shown.includes(file))).toEqual([]);
});

test("the help links of n8n's panels lead to headings of README.md", () => {
	const codex = ['DataCollection', 'DataCollectionTrigger'].map((name) =>
		textFile(`nodes/DataCollection/${name}.node.json`),
	);
	const urls = [...codex.join().matchAll(/"url": "([^"]+)"/g)].map(([, url = '']) => url);
	const links = [...urls, new DataCollectionApi().documentationUrl];
	expect(links).toHaveLength(5);
	for (const link of links) {
		const [page, anchor] = link.split('#');
		expect(page).toBe(HOME);
		expect(anchors(textFile('README.md'))).toContain(anchor);
	}
});
