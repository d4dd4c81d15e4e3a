import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DataCollectionApi } from '../../credentials/DataCollectionApi.credentials.ts';
import { DataCollection } from '../../nodes/DataCollection/DataCollection.node.ts';
import { DataCollectionTrigger } from '../../nodes/DataCollection/DataCollectionTrigger.node.ts';
import { manifest } from '../engine/support/github.mts';
import {
	bolds,
	codeSpans,
	ROOT,
	section,
	tableRows,
	textFile,
} from '../engine/support/markdown.mts';

const README = textFile('README.md');
const action = new DataCollection().description;
const trigger = new DataCollectionTrigger().description;
const credential = new DataCollectionApi();

/** What is printed bold is what a person sees on the screen: ours, or these of n8n. */
const OF_N8N = [
	'Community Nodes',
	'Continue (using error output)',
	'Continue On Fail',
	'Execute step',
	'Execute workflow',
	'Execute Once',
	'Email Format',
	'Executions',
	'From file',
	'Import',
	'Install',
	'On Error',
	'POST',
	'Production URL',
	'Raw Body',
	'Retry On Fail',
	'Send Email',
	'Settings',
	'Test URL',
	'Text',
	'Trigger manually',
	'Webhook',
	'Webhook URLs',
	'…',
];

type Option = INodePropertyOptions | INodeProperties | INodePropertyCollection;

/** The display names of fields, of what they contain, of their choices, and of the actions. */
function labels(properties: Option[]): string[] {
	return properties.flatMap((property) => {
		if ('value' in property) return [property.name, property.action ?? ''];
		if ('values' in property) return [property.displayName, ...labels(property.values)];
		return [property.displayName, ...labels(property.options ?? [])];
	});
}

const OURS = [
	action.displayName,
	trigger.displayName,
	credential.displayName,
	...labels([...action.properties, ...trigger.properties, ...credential.properties]),
];

test('every bold name is one that the screen shows', () => {
	const parts = bolds(README).flatMap((text) => text.split(' > '));
	expect(parts.length).toBeGreaterThan(30);
	expect(parts.filter((part) => ![...OURS, ...OF_N8N].includes(part))).toEqual([]);
	expect(OF_N8N.filter((name) => !parts.includes(name))).toEqual([]);
});

test('the table of operations has each operation, in the order of the editor', () => {
	const [table = []] = [tableRows(section(README, 'Operations').split('\n### ')[0] ?? '')];
	const shown = table.map(([resource, operation]) => [resource, operation]);
	const selectors = action.properties.filter(({ name }) => name === 'operation');
	const wanted = selectors.flatMap(({ displayOptions, options = [] }) => {
		const [resource] = displayOptions?.show?.resource ?? [];
		const choices = action.properties.find(({ name }) => name === 'resource')?.options ?? [];
		const label = choices.find((choice) => 'value' in choice && choice.value === resource)?.name;
		return options.map(({ name }) => [label, name]);
	});
	expect(shown).toEqual(wanted);
});

test('the table of the credential has each field, in the order of the dialog', () => {
	const shown = tableRows(section(README, 'Credential')).map(([field]) => field);
	expect(shown).toEqual([...new Set(credential.properties.map((field) => field.displayName))]);
});

test("the table of the trigger's answers has each answer", () => {
	const source = textFile('nodes/DataCollection/webhook/receive.ts');
	const found = [...source.matchAll(/code: (\d{3}), status: '([^']+)'/g)];
	expect(found.length).toBeGreaterThan(6);
	// Wait alone gives these; its section says so.
	const ofWaiting = ['waiting', 'ignored', 'not checked'];
	for (const text of ofWaiting) {
		expect(codeSpans(section(README, 'Create, email, wait'))).toContain(text);
	}
	const wanted = found
		.filter(([, , text = '']) => !ofWaiting.includes(text))
		.map(([, status, text]) => `${status} \`${text}\``);
	const table = tableRows(section(README, 'How the signature is checked')).map(([cell]) => cell);
	expect(table.toSorted()).toEqual(['200 `accepted`', ...wanted].toSorted());
});

test('what the log is quoted with is what the code says', () => {
	const source = textFile('nodes/DataCollection/webhook/verifyDelivery.ts');
	const quoted = codeSpans(section(README, 'Troubleshooting')).filter((code) =>
		/^(X-SVC|differs)/.test(code),
	);
	expect(quoted).toHaveLength(2);
	for (const text of quoted) expect(source).toContain(text);
});

describe('environment variables', () => {
	const documents = `${README}\n${textFile('CONTRIBUTING.md')}`;
	const named = [
		...new Set(
			codeSpans(documents)
				.join(' ')
				.match(/(?<![\w/])[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g),
		),
	];
	const sandbox = ['.', 'n8n', 'shared', 'service']
		.flatMap((folder) =>
			readdirSync(join(ROOT, 'sandbox', folder))
				.filter((name) => name.endsWith('.mts'))
				.map((name) => textFile(join('sandbox', folder, name))),
		)
		.join('\n');

	test('of the sandbox exist in its code', () => {
		const own = named.filter((name) => name.startsWith('SANDBOX_'));
		expect(own.length).toBeGreaterThan(3);
		expect(own.filter((name) => !sandbox.includes(name))).toEqual([]);
	});

	test('of the sandbox are all named somewhere', () => {
		const read = new Set(sandbox.match(/\bSANDBOX_[A-Z0-9_]+\b/g));
		expect([...read].filter((name) => !documents.includes(name))).toEqual([]);
	});

	test('besides, only those of n8n and of publishing', () => {
		const others = named.filter((name) => !name.startsWith('SANDBOX_'));
		expect(others.toSorted()).toEqual([
			'HTTP_PROXY',
			'N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE',
			'NO_PROXY',
			'NPM_TOKEN',
			'WEBHOOK_URL',
		]);
	});
});

test('the version of n8n is the one that is installed', () => {
	const { n8n } = manifest('sandbox/n8n').dependencies ?? {};
	const versions = tableRows(section(README, 'Compatibility'));
	expect(versions[0]).toEqual(['n8n', expect.stringMatching(`^${n8n}:`)]);
});

test('the oldest n8n that was tested is the one that package.json asks for', () => {
	const [, tested = ''] =
		tableRows(section(README, 'Compatibility')).find(([what]) => what === 'n8n') ?? [];
	const versions = [...tested.matchAll(/\b(\d+)\.(\d+)\.\d+/g)].map(([, ...parts]) =>
		parts.map(Number),
	);
	const [oldest] = versions.sort(
		([major = 0, minor = 0], [otherMajor = 0, otherMinor = 0]) =>
			major - otherMajor || minor - otherMinor,
	);
	expect(manifest('.').engines.n8n).toBe(`>=${oldest?.join('.')}`);
});
