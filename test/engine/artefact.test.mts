import { PackageDirectoryLoader } from 'n8n-core';
import { execFileSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const MODULES = join(ROOT, 'node_modules');
const SOURCES = [
	'package.json',
	'README.md',
	'CHANGELOG.md',
	'LICENSE.md',
	'index.js',
	'tsconfig.json',
	'nodes',
	'credentials',
	'icons',
];
const OUTSIDE_DIST = /^(package\.json|index\.js|README\.md|LICENSE\.md|CHANGELOG\.md)$/;

interface Packed {
	filename: string;
	size: number;
	files: Array<{ path: string }>;
}

let folder: string;
let packed: Packed;
let unpacked: string;

/** Builds a copy, so that the checkout's own dist stays as it is, packs it and unpacks the result. */
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'artefact-'));
	const copy = join(folder, 'source');
	for (const name of SOURCES.filter((source) => existsSync(join(ROOT, source)))) {
		cpSync(join(ROOT, name), join(copy, name), { recursive: true });
	}
	symlinkSync(MODULES, join(copy, 'node_modules'));
	const env = { ...process.env, PATH: [join(MODULES, '.bin'), process.env.PATH].join(delimiter) };
	const npm = (...args: string[]) =>
		execFileSync('npm', args, {
			cwd: copy,
			env,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		});
	npm('run', 'build');
	const [result] = JSON.parse(npm('pack', '--json', '--ignore-scripts')) as Packed[];
	if (result === undefined) throw new Error('npm pack made nothing');
	packed = result;
	execFileSync('tar', ['-xzf', join(copy, packed.filename), '-C', folder]);
	unpacked = join(folder, 'package');
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** All files below a folder, with their paths relative to it. */
const filesBelow = (directory: string) =>
	readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) =>
		statSync(join(directory, name)).isFile(),
	);

describe('the packed package', () => {
	test('is smaller than 60 kB', () => {
		expect(packed.size).toBeLessThan(60_000);
	});

	test('holds dist, an empty main, and the papers; nothing else', () => {
		const others = packed.files.map(({ path }) => path).filter((path) => !path.startsWith('dist/'));
		expect(others.filter((path) => !OUTSIDE_DIST.test(path))).toEqual([]);
		expect(others).toEqual(expect.arrayContaining(['package.json', 'index.js', 'LICENSE.md']));
	});

	test('has only the compiled product, icons, codex files and output schemas in dist', () => {
		const dist = packed.files.map(({ path }) => path).filter((path) => path.startsWith('dist/'));
		expect(dist.length).toBeGreaterThan(20);
		for (const path of dist) {
			expect(path).toMatch(
				/^dist\/((nodes|credentials)\/.+\.js|nodes\/DataCollection\/(\w+\.node|__schema__\/[\w./]+)\.json|icons\/[\w.]+\.svg)$/,
			);
			expect(path).not.toMatch(/\btests?\b|\.test\.|sandbox|bench|vectors/i);
		}
	});

	test('has every compiled product file', () => {
		const sources = ['nodes', 'credentials'].flatMap((name) =>
			filesBelow(join(ROOT, name))
				.filter((file) => file.endsWith('.ts'))
				.map((file) => `dist/${name}/${file.replace(/\.ts$/, '.js')}`),
		);
		expect(packed.files.map(({ path }) => path)).toEqual(expect.arrayContaining(sources));
	});

	test('has no runtime dependencies and the keyword by which n8n finds it', () => {
		const manifest: unknown = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
		expect(manifest).toMatchObject({
			name: 'n8n-nodes-data-collection',
			license: 'MIT',
			peerDependencies: { 'n8n-workflow': '*' },
			files: ['dist'],
		});
		expect(manifest).toHaveProperty(
			'keywords',
			expect.arrayContaining(['n8n-community-node-package']),
		);
		for (const name of ['dependencies', 'bundledDependencies', 'optionalDependencies']) {
			expect(manifest).not.toHaveProperty(name);
		}
	});

	test('requires only its own files, n8n-workflow and node:crypto', () => {
		const foreign = filesBelow(join(unpacked, 'dist'))
			.filter((file) => file.endsWith('.js'))
			.flatMap((file) => {
				const code = readFileSync(join(unpacked, 'dist', file), 'utf8');
				return [...code.matchAll(/\b(?:require|import)\(\s*['"`]([^'"`]*)/g)].map(
					([, name]) => name,
				);
			})
			.filter((name) => !/^(\.{1,2}\/.*|n8n-workflow|node:crypto)$/.test(name ?? ''));
		expect(foreign).toEqual([]);
	});
});

describe("loaded by n8n's own loader", () => {
	let loader: PackageDirectoryLoader;

	beforeAll(async () => {
		symlinkSync(MODULES, join(unpacked, 'node_modules'));
		loader = new PackageDirectoryLoader(unpacked);
		await loader.loadAll();
	});

	test('it has both nodes and the credential', () => {
		expect(Object.keys(loader.nodeTypes).sort()).toEqual([
			'dataCollection',
			'dataCollectionTrigger',
		]);
		expect(Object.keys(loader.credentialTypes)).toEqual(['dataCollectionApi']);
		expect(loader.known.credentials.dataCollectionApi?.supportedNodes?.toSorted()).toEqual([
			'dataCollection',
			'dataCollectionTrigger',
		]);
	});

	/** The files behind the icon URLs, which n8n serves below `icons/<package>/`. */
	const iconFiles = (iconUrl: unknown) => {
		const prefix = 'icons/n8n-nodes-data-collection/';
		const urls = Object.entries(iconUrl ?? {}).map(([theme, url]) => [theme, String(url)] as const);
		expect(urls.map(([theme]) => theme).sort()).toEqual(['dark', 'light']);
		return urls.map(([, url]) => {
			expect(url.startsWith(prefix)).toBe(true);
			return readFileSync(join(unpacked, url.slice(prefix.length)), 'utf8');
		});
	};

	test.each(['dataCollection', 'dataCollectionTrigger'])('%s has icons and a codex', (name) => {
		const type = loader.nodeTypes[name]?.type;
		if (type === undefined || !('description' in type)) throw new Error(`No node ${name}`);
		const { description } = type;
		const [light, dark] = iconFiles('iconUrl' in description ? description.iconUrl : undefined);
		expect(light).toContain('<svg');
		expect(dark).toContain('<svg');
		expect(light).not.toBe(dark);
		expect(description.codex?.categories?.length).toBeGreaterThan(0);
		expect(description.codex?.alias).toContain('guest link');
		expect(description.codex?.resources?.primaryDocumentation).toHaveLength(1);
	});

	test('the credential has icons for light and dark', () => {
		const type = loader.credentialTypes.dataCollectionApi?.type;
		for (const icon of iconFiles(type?.iconUrl)) expect(icon).toContain('<svg');
	});
});

describe('the product source', () => {
	const files = ['nodes', 'credentials'].flatMap((name) =>
		filesBelow(join(ROOT, name))
			.filter((file) => file.endsWith('.ts'))
			.map((file) => join(name, file)),
	);

	test.each(files)('%s is at most 200 lines and switches no lint rule off', (file) => {
		const text = readFileSync(join(ROOT, file), 'utf8');
		expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(200);
		expect(text).not.toMatch(/eslint-disable|@ts-ignore|@ts-expect-error|@ts-nocheck/);
	});
});
