import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { codeBlocks, codeSpans, textFile } from '../engine/support/markdown.mts';

const PAGE = textFile('docs/scaling.md');

/** The text of every file of a folder whose name ends so. */
const allOf = (folder: string, ending: string) =>
	readdirSync(folder)
		.filter((name) => name.endsWith(ending))
		.map((name) => textFile(join(folder, name)))
		.join('\n');

const ofN8n = allOf('node_modules/@n8n/config/dist/configs', '.config.js');
const settings = textFile('node_modules/@n8n/config/dist/configs/instance-settings-config.js');
const ofSandbox = allOf('sandbox/queue', '.mts');

/** n8n reads these elsewhere than in its configuration. */
const ELSEWHERE = [
	'N8N_REINSTALL_MISSING_PACKAGES',
	'OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS',
	'WEBHOOK_URL',
];

test('every variable that docs/scaling.md names is one of n8n or of the sandbox', () => {
	const spans = codeSpans(PAGE).join(' ');
	const named = new Set(spans.match(/(?<![\w/])[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g));
	expect(named.size).toBeGreaterThan(10);
	const isKnown = (name: string) =>
		[ofN8n, settings, ofSandbox].some((text) => text.includes(name));
	const isSet = (name: string) => /_$/.test(name) && ofN8n.includes(`('${name}`);
	const others = [...named].filter((name) => !isKnown(name) && !isSet(name));
	expect(others.filter((name) => !ELSEWHERE.includes(name))).toEqual([]);
	expect(ELSEWHERE.filter((name) => !named.has(name))).toEqual([]);
});

test('the queries that test/queue/once.test.mts runs are there', () => {
	expect(codeBlocks(PAGE).map(({ name }) => name)).toEqual(['', '', 'table.sql', 'once.sql']);
	expect(PAGE).toContain("{{ [$json.requestId + ' ' + $json.shareStatus] }}");
});
