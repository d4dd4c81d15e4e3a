import { files, manifest, yaml } from '../engine/support/github.mts';

test.each(files)('%s is YAML that a strict parser takes', (name) => {
	expect(yaml(name)).toBeInstanceOf(Object);
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

	test('watches both lock files and the actions, in groups', () => {
		const watched = updates.map((update) => [
			...[update['package-ecosystem'], update.directory, Object.keys(update.groups).length],
		]);
		expect(watched).toEqual([
			['npm', '/', 1],
			['npm', '/sandbox/n8n', 1],
			['github-actions', '/', 1],
		]);
	});

	test.each(updates.filter((update) => update['package-ecosystem'] === 'npm'))(
		"leaves n8n's packages in $directory alone, and ignores nothing that is not there",
		({ directory, ignore = [] }) => {
			const { dependencies, devDependencies } = manifest(`.${directory}`);
			const installed = Object.keys({ ...dependencies, ...devDependencies });
			const ignored = ignore.map((rule) => rule['dependency-name']);
			const pinned = installed.filter((name) => /^n8n(-|$)/.test(name));
			expect(ignored).toEqual(expect.arrayContaining(pinned));
			expect(installed).toEqual(expect.arrayContaining(ignored));
		},
	);
});

test.each(['bug', 'feature'])('the form for a %s has what GitHub needs', (name) => {
	const form = yaml(`ISSUE_TEMPLATE/${name}.yml`) as {
		name: string;
		description: string;
		body: Array<{ type: string; id?: string; attributes: { label?: string; value?: string } }>;
	};
	expect([form.name, form.description]).toEqual([expect.any(String), expect.any(String)]);
	const ids = form.body.flatMap(({ id }) => id ?? []);
	expect(new Set(ids).size).toBe(ids.length);
	for (const { type, id, attributes } of form.body) {
		expect(type).toMatch(/^(markdown|input|dropdown|textarea|checkboxes)$/);
		if (type === 'markdown') expect(attributes.value).toBeTruthy();
		else expect([id, attributes.label]).toEqual([expect.any(String), expect.any(String)]);
	}
});
