import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DataCollectionApi } from '../../credentials/DataCollectionApi.credentials.ts';
import { manifest } from '../support/github.mts';
import { codeSpans, ROOT, section, tableRows, textFile } from '../support/markdown.mts';

const README = textFile('README.md');

test('the table of the credential has each field, in the order of the dialog', () => {
	const shown = tableRows(section(README, 'Credential')).map(([field]) => field);
	const fields = new DataCollectionApi().properties.map(({ displayName }) => displayName);
	expect(shown).toEqual([...new Set(fields)]);
});

test("the table of the trigger's answers has each answer", () => {
	const source = textFile('nodes/DataCollection/webhook/receive.ts');
	const found = [...source.matchAll(/code: (\d{3}), status: '([^']+)'/g)];
	expect(found.length).toBeGreaterThan(6);
	// Only Wait returns these, as its section says.
	const ofWaiting = ['waiting', 'ignored', 'not checked'];
	const spans = codeSpans(section(textFile('docs/nodes.md'), 'How a wait ends'));
	expect(spans).toEqual(expect.arrayContaining(ofWaiting));
	const ofTrigger = found.filter(([, , text = '']) => !ofWaiting.includes(text));
	const wanted = ofTrigger.map(([, status, text]) => `${status} \`${text}\``);
	const page = section(textFile('docs/trigger.md'), 'How the signature is checked');
	const table = tableRows(page).map(([cell]) => cell);
	expect(table.toSorted()).toEqual(['200 `accepted`', ...wanted].toSorted());
});

test('what the log is quoted with is what the code says', () => {
	const source = textFile('nodes/DataCollection/webhook/verifyDelivery.ts');
	const spans = codeSpans(textFile('docs/troubleshooting.md'));
	const quoted = spans.filter((code) => /^(X-SVC|differs)/.test(code));
	expect(quoted).toHaveLength(2);
	for (const text of quoted) expect(source).toContain(text);
});

describe('environment variables', () => {
	const documents = [
		...['README.md', 'CONTRIBUTING.md', 'docs/sandbox.md', 'docs/scaling.md'],
		...['docs/trigger.md', 'docs/troubleshooting.md'],
	]
		.map(textFile)
		.join('\n');
	const textOf = (folder: string, ending: string) =>
		readdirSync(join(ROOT, folder))
			.filter((name) => name.endsWith(ending))
			.map((name) => textFile(join(folder, name)))
			.join('\n');
	const sandbox = ['.', 'n8n', 'queue', 'service', 'shared']
		.map((folder) => textOf(join('sandbox', folder), '.mts'))
		.join('\n');

	test('that the documents name exist in n8n or in the sandbox', () => {
		const spans = codeSpans(documents).join(' ');
		const named = new Set(spans.match(/(?<![\w/])[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g));
		expect(named.size).toBeGreaterThan(15);
		const n8n = textOf('node_modules/@n8n/config/dist/configs', '.js');
		// n8n reads these outside its configuration; the last is for publishing.
		const elsewhere = [
			...['N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE', 'N8N_REINSTALL_MISSING_PACKAGES'],
			...['N8N_UNVERIFIED_PACKAGES_ENABLED', 'N8N_WEBHOOK_URL', 'HTTP_PROXY', 'NO_PROXY'],
			'NPM_TOKEN',
		];
		const known = [n8n, sandbox, ...elsewhere].join('\n');
		expect([...named].filter((name) => !known.includes(name))).toEqual([]);
	});

	test('of the sandbox are all named somewhere', () => {
		const read = new Set(sandbox.match(/\bSANDBOX_[A-Z0-9_]+\b/g));
		expect([...read].filter((name) => !documents.includes(name))).toEqual([]);
	});
});

test('the oldest and the newest n8n that were tested are those of the manifests', () => {
	const [what, tested = ''] = tableRows(textFile('docs/compatibility.md'))[0] ?? [];
	expect(what).toBe('n8n');
	const [newest, ...older] = tested.match(/\d+\.\d+\.\d+/g) ?? [];
	expect(newest).toBe(manifest('sandbox/n8n').dependencies?.n8n);
	expect(manifest('.').engines.n8n).toBe(`>=${older.at(-1)?.replace(/\.\d+$/, '')}`);
});

describe('what is unknown about the service', () => {
	/** The bold parts of a text. */
	const bolds = (text: string) => [...text.matchAll(/\*\*(.+?)\*\*/g)].map(([, bold = '']) => bold);

	const CHECK = textFile('docs/before-you-rely-on-it.md');
	const entries =
		section(textFile('docs/service-api.md'), 'What is unknown').match(/^- .+/gm) ?? [];
	const lines = tableRows(section(CHECK, 'What each line tells you')).map(([line]) => line);

	test('each unknown names the line of the report that answers it, or who can', () => {
		expect(entries.length).toBeGreaterThan(20);
		const known = [...lines, 'Ask your provider', 'ask your provider'];
		for (const entry of entries) {
			const named = bolds(entry);
			expect({ entry, isNamed: named.length > 0 }).toEqual({ entry, isNamed: true });
			expect(known).toEqual(expect.arrayContaining(named));
		}
	});

	test('the report has no line that answers none', () => {
		const named = bolds(entries.join('\n'));
		expect(lines.filter((line = '') => !named.includes(line))).toEqual([]);
	});
});
