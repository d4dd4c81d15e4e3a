import { PackageDirectoryLoader } from 'n8n-core';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ROOT } from '../support/markdown.mts';
import { anyObject } from '../support/matchers.mts';

const MODULES = join(ROOT, 'node_modules');
const SOURCES = [
	'package.json',
	'README.md',
	'CHANGELOG.md',
	'LICENSE.md',
	'index.js',
	'gulpfile.js',
	'tsconfig.json',
	'nodes',
	'credentials',
	'icons',
];
const PACKED = [
	/^(package\.json|index\.js|README\.md|LICENSE\.md|CHANGELOG\.md)$/,
	/^dist\/(nodes|credentials)\/.+\.js$/,
	/^dist\/nodes\/DataCollection\/(\w+\.node|__schema__\/[\w./]+)\.json$/,
	/^dist\/icons\/[\w.]+\.svg$/,
];

/** The TypeScript files of the product. */
const PRODUCT = ['nodes', 'credentials'].flatMap((name) =>
	readdirSync(join(ROOT, name), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(name, file)),
);

const containingAll = (...parts: unknown[]): unknown => expect.arrayContaining(parts);

const folder = mkdtempSync(join(tmpdir(), 'artefact-'));
const unpacked = join(folder, 'package');
let paths: string[];

/** Builds, packs and unpacks a copy, so that the checkout's own dist stays as it is. */
beforeAll(() => {
	const cwd = join(folder, 'source');
	for (const name of SOURCES) cpSync(join(ROOT, name), join(cwd, name), { recursive: true });
	symlinkSync(MODULES, join(cwd, 'node_modules'));
	const env = { ...process.env, PATH: [join(MODULES, '.bin'), process.env.PATH].join(delimiter) };
	const npm = (...args: string[]) => {
		const { status, stdout, stderr } = spawnSync('npm', args, { cwd, env, encoding: 'utf8' });
		// The compiler writes what is wrong to stdout.
		if (status !== 0) throw new Error(`npm ${args.join(' ')} has failed:\n${stdout}${stderr}`);
		return stdout;
	};
	npm('run', 'build');
	const [packed] = JSON.parse(npm('pack', '--json', '--ignore-scripts')) as [
		{ filename: string; files: Array<{ path: string }> },
	];
	paths = packed.files.map(({ path }) => path);
	execFileSync('tar', ['-xzf', join(cwd, packed.filename), '-C', folder]);
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packed package', () => {
	test('holds the papers, an empty main, the compiled product with icons, codex files and output schemas; nothing else', () => {
		expect(paths.filter((path) => !PACKED.some((kind) => kind.test(path)))).toEqual([]);
		const compiled = PRODUCT.map((file) => `dist/${file.replace(/\.ts$/, '.js')}`);
		expect(compiled.length).toBeGreaterThan(20);
		expect(paths).toEqual(containingAll('package.json', 'index.js', 'LICENSE.md', ...compiled));
	});

	test('has no runtime dependencies and the keyword by which n8n finds it', () => {
		const manifest: unknown = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
		expect(manifest).toMatchObject({
			name: 'n8n-nodes-data-collection',
			license: 'MIT',
			peerDependencies: { 'n8n-workflow': '*' },
			files: ['dist'],
			keywords: containingAll('n8n-community-node-package'),
		});
		for (const name of ['dependencies', 'bundledDependencies', 'optionalDependencies']) {
			expect(manifest).not.toHaveProperty(name);
		}
	});

	test('requires only its own files, n8n-workflow and node:crypto', () => {
		const required = paths
			.filter((path) => path.startsWith('dist/') && path.endsWith('.js'))
			.map((path) => readFileSync(join(unpacked, path), 'utf8'))
			.flatMap((code) => [...code.matchAll(/\b(?:require|import)\(\s*['"`]([^'"`]*)/g)])
			.map(([, name]) => name);
		const allowed = /^(\.{1,2}\/.*|n8n-workflow|node:crypto)$/;
		expect(required.filter((name) => !allowed.test(name ?? ''))).toEqual([]);
	});
});

test("n8n's own loader finds both nodes with codex and icons, and the credential", async () => {
	symlinkSync(MODULES, join(unpacked, 'node_modules'));
	const loader = new PackageDirectoryLoader(unpacked);
	await loader.loadAll();
	const names = ['dataCollection', 'dataCollectionTrigger'];
	expect(Object.keys(loader.nodeTypes).sort()).toEqual(names);
	expect(Object.keys(loader.credentialTypes)).toEqual(['dataCollectionApi']);
	const { supportedNodes } = loader.known.credentials.dataCollectionApi ?? {};
	expect(supportedNodes?.toSorted()).toEqual(names);
	const nodes = Object.values(loader.nodeTypes).map(({ type }) => type.description);
	const codex = {
		categories: containingAll(expect.anything()),
		alias: containingAll('get guest link'),
		resources: { primaryDocumentation: [anyObject()] },
	};
	expect(nodes).toMatchObject([{ codex }, { codex }]);
	for (const type of [...nodes, loader.credentialTypes.dataCollectionApi?.type]) {
		const { light, dark } = type?.iconUrl as { light: string; dark: string };
		for (const url of [light, dark]) {
			// n8n serves them below `icons/<package>/`.
			const file = url.replace('icons/n8n-nodes-data-collection/', '');
			expect(readFileSync(join(unpacked, file), 'utf8')).toContain('<svg');
		}
	}
});
