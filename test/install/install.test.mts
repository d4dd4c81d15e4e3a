import { execa } from 'execa';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { actionType, credentialType, readExample } from '../../sandbox/n8n/examples.mts';
import { triggerType } from '../../sandbox/n8n/examples.mts';
import { nodesFolder, packageFolder } from '../../sandbox/n8n/nodePackage.mts';
import type { Json } from '../../sandbox/n8n/types.mts';
import { packageName, root, stateFolder } from '../../sandbox/shared/paths.mts';
import { n8nUrl, rest, userFolder } from '../support/environment.mts';

// From a fresh clone to a loaded package, with the commands of docs/install.md.

const home = await mkdtemp(path.join(tmpdir(), `${packageName}-install-`));
const clone = path.join(home, 'clone');
const nodes = nodesFolder(home);
const node22 = stateFolder('node-22');

/** The variables of a person's shell: those of npm and the Node of this checkout are left out. */
const shell = Object.fromEntries(
	Object.entries(process.env).filter(
		([name]) => !/^(npm_|INIT_CWD$|NODE_(OPTIONS|PATH)$)/i.test(name),
	),
);
const folders = (shell.PATH ?? '').split(path.delimiter);
const PATH = [
	path.join(node22, 'node_modules', '.bin'),
	...folders.filter((folder) => !folder.includes('node_modules')),
].join(path.delimiter);

/** Runs a command with Node 22; returns the lines of its output. */
async function lines(cwd: string, command: string, ...args: string[]): Promise<string[]> {
	const options = { cwd, env: { ...shell, PATH }, extendEnv: false, lines: true } as const;
	return (await execa(command, args, options)).stdout;
}

/** Copies what a clone would have: what git knows, or would know once it is committed. */
async function makeClone(): Promise<void> {
	const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
	const names = (await execa('git', args, { cwd: root })).stdout.split('\0').filter(Boolean);
	for (const name of names.filter((file) => existsSync(path.join(root, file)))) {
		await cp(path.join(root, name), path.join(clone, name));
	}
}

/** The folders in node_modules, without npm's own files. */
const installedIn = async (folder: string) =>
	(await readdir(path.join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'));

/** The files of an installed package, with their contents. */
async function contentsOf(folder: string): Promise<Record<string, string>> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile());
	const read = async ({ parentPath, name }: (typeof files)[0]) => {
		const file = path.join(parentPath, name);
		return [path.relative(folder, file), await readFile(file, 'utf8')] as const;
	};
	return Object.fromEntries(await Promise.all(files.map(read)));
}

beforeAll(async () => {
	if (!existsSync(path.join(node22, 'node_modules', '.bin', 'node'))) {
		await execa('npm', ['install', '--prefix', node22, '--ignore-scripts=false', 'node@22.23.3']);
	}
	expect((await lines(home, 'node', '--version')).at(-1)).toMatch(/^v22\./);
	await makeClone();
	// n8n has created it.
	await mkdir(nodes, { recursive: true });
	await writeFile(path.join(nodes, 'package.json'), '{ "name": "installed-nodes" }');
}, 120_000);

afterAll(() => rm(home, { recursive: true, force: true }));

test('a bare npm pack builds first', async () => {
	expect(existsSync(path.join(clone, 'dist'))).toBe(false);
	const [packed] = JSON.parse(
		(await lines(clone, 'npm', 'pack', '--dry-run', '--json', '--foreground-scripts=false')).join(
			'',
		),
	) as [{ files: Array<{ path: string }> }];
	const files = packed.files.map((file) => file.path);
	const { n8n } = JSON.parse(await readFile(path.join(clone, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	expect(files).toEqual(expect.arrayContaining([...n8n.nodes, ...n8n.credentials]));
}, 120_000);

test('npm run pack names the tarball, and npm install adds that one package on Node 22', async () => {
	const tarball = (await lines(clone, 'npm', 'run', 'pack')).at(-1) ?? '';
	expect(path.isAbsolute(tarball)).toBe(true);
	await lines(nodes, 'npm', 'install', tarball);
	expect(await installedIn(nodes)).toStrictEqual([packageName]);
}, 120_000);

test("n8n's own loader loads it on Node 22", async () => {
	const program = `
		const { PackageDirectoryLoader } = require('n8n-core');
		const loader = new PackageDirectoryLoader(process.argv[1]);
		loader.loadAll().then(() => {
			const { nodeTypes, credentialTypes } = loader;
			console.log([...Object.keys(nodeTypes), ...Object.keys(credentialTypes)].join(' '));
			process.exit();
		});`;
	// n8n tells Node in the same way where its n8n-workflow is.
	const NODE_PATH = path.join(root, 'node_modules');
	const quiet = { N8N_USER_FOLDER: home, N8N_ENCRYPTION_KEY: 'only-for-tests' };
	const { stdout } = await execa('node', ['-e', program, packageFolder(home)], {
		cwd: home,
		env: { ...shell, PATH, NODE_PATH, ...quiet },
		extendEnv: false,
	});
	const names = [actionType, triggerType].map((type) => type.split('.')[1]);
	expect(stdout.split('\n').at(-1)).toBe([...names, credentialType].join(' '));
}, 60_000);

test('the n8n of the suites, on Node 24, has the same package and nothing else', async () => {
	expect(await installedIn(nodesFolder(userFolder))).toStrictEqual([packageName]);
	const fromClone = await contentsOf(packageFolder(home));
	expect(Object.keys(fromClone).length).toBeGreaterThan(50);
	expect(await contentsOf(packageFolder(userFolder))).toStrictEqual(fromClone);
});

test('n8n has loaded both nodes and the credential, with icons', async () => {
	const types = [
		...(await rest.nodeTypes()),
		...(await rest.send<Json[]>('GET', '/types/credentials.json')),
	];
	const ours = [actionType, triggerType, credentialType];
	const found = ours.map((name) => types.find((type) => type.name === name));
	for (const type of found) {
		for (const icon of Object.values(type?.iconUrl as Record<'light' | 'dark', string>)) {
			const response = await fetch(`${n8nUrl}/${icon}`);
			expect(response.headers.get('content-type')).toMatch(/^image\/svg/);
			expect(await response.text()).toContain('<svg');
		}
	}
});

test('an example imports without a missing node', async () => {
	const types = (await rest.nodeTypes()).map(({ name }) => name);
	const { nodes: imported } = await rest.createWorkflow(await readExample('form-to-email'));
	const missing = imported.filter(({ type }) => !types.includes(type));
	expect(missing.map(({ type }) => type)).toStrictEqual([]);
	expect(imported.map(({ type }) => type)).toContain(actionType);
});
