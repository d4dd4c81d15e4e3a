import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DataCollection } from '../../nodes/DataCollection/DataCollection.node.ts';
import { files, manifest, yaml } from '../engine/support/github.mts';
import { ROOT } from '../engine/support/markdown.mts';

interface Form {
	name: string;
	description: string;
	body: Array<{
		type: string;
		id?: string;
		attributes: { label?: string; value?: string; options?: unknown[] };
	}>;
}

test('every file is YAML that a strict parser takes', () => {
	expect(files).toEqual([
		'ISSUE_TEMPLATE/bug.yml',
		'ISSUE_TEMPLATE/config.yml',
		'ISSUE_TEMPLATE/feature.yml',
		'dependabot.yml',
		'workflows/ci.yml',
		'workflows/publish.yml',
	]);
	for (const name of files) expect(yaml(name)).toBeInstanceOf(Object);
});

describe('dependabot', () => {
	const { updates } = yaml('dependabot.yml') as {
		updates: Array<{
			'package-ecosystem': string;
			directory: string;
			groups: object;
			ignore?: Array<{ 'dependency-name': string }>;
		}>;
	};

	test('watches all lock files and the actions, in groups', () => {
		const watched = updates.map((update) => [update['package-ecosystem'], update.directory]);
		expect(watched).toEqual([
			['npm', '/'],
			['npm', '/sandbox'],
			['npm', '/sandbox/n8n'],
			['github-actions', '/'],
		]);
		for (const { groups } of updates) expect(Object.keys(groups)).toHaveLength(1);
	});

	test("leaves n8n's packages alone, and ignores nothing that is not there", () => {
		const npm = updates.filter((update) => update['package-ecosystem'] === 'npm');
		for (const { directory, ignore = [] } of npm) {
			const { dependencies, devDependencies } = manifest(`.${directory}`);
			const installed = { ...dependencies, ...devDependencies };
			const ignored = ignore.map((rule) => rule['dependency-name']);
			const pinned = Object.keys(installed).filter((name) => /^n8n(-|$)/.test(name));
			expect(ignored).toEqual(expect.arrayContaining(pinned));
			expect(Object.keys(installed)).toEqual(expect.arrayContaining(ignored));
		}
	});
});

describe('issues', () => {
	const operations = new DataCollection().description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) => {
			const [resource] = displayOptions?.show?.resource ?? [];
			const words = (resource as string).replace(/[A-Z]/g, ' $&');
			const label = words.charAt(0).toUpperCase() + words.slice(1);
			return options.map(({ name }) => `${label}: ${name}`);
		});

	test.each(['bug', 'feature'])('the form %s has what GitHub needs', (name) => {
		const form = yaml(`ISSUE_TEMPLATE/${name}.yml`) as Form;
		expect(form.name).toBeTruthy();
		expect(form.description).toBeTruthy();
		const ids = form.body.flatMap(({ id }) => id ?? []);
		expect(new Set(ids).size).toBe(ids.length);
		for (const { type, id, attributes } of form.body) {
			expect(type).toMatch(/^(markdown|input|dropdown|textarea|checkboxes)$/);
			if (type === 'markdown') expect(attributes.value).toBeTruthy();
			else expect([id, attributes.label]).toEqual([expect.any(String), expect.any(String)]);
		}
	});

	test('a bug asks for versions, the mode and each operation, and warns of secrets first', () => {
		const { body } = yaml('ISSUE_TEMPLATE/bug.yml') as Form;
		expect(body[0]?.attributes.value).toMatch(/Remove secrets.+API keys.+webhook secrets/s);
		const ids = body.map(({ id }) => id);
		expect(ids).toEqual(
			expect.arrayContaining(['package', 'n8n', 'node', 'mode', 'expected', 'secrets']),
		);
		const where = body.find(({ id }) => id === 'where')?.attributes.options;
		expect(where).toEqual([
			...operations,
			'Data Collection Trigger',
			'Credential',
			'Sandbox or tests',
		]);
	});

	test('the links lead into this repository, to files that exist', () => {
		const { contact_links: links } = yaml('ISSUE_TEMPLATE/config.yml') as {
			contact_links: Array<{ url: string }>;
		};
		const home = manifest('.').homepage.replace(/#.*$/, '');
		for (const { url } of links) {
			expect(url.startsWith(`${home}/`)).toBe(true);
			const file = /\/blob\/main\/(.+)$/.exec(url)?.[1];
			if (file !== undefined) expect(existsSync(join(ROOT, file))).toBe(true);
		}
		expect(links[0]?.url).toBe(`${home}/security/advisories/new`);
	});
});
