import { execa } from 'execa';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installNodePackage, nodesFolder, packageFolder } from '../../sandbox/n8n/nodePackage.mts';
import { packageName, root, stateFolder } from '../../sandbox/shared/paths.mts';

// From a fresh clone to a loaded package, with the commands of docs/install.md.

const home = await mkdtemp(path.join(tmpdir(), `${packageName}-install-`));
const clone = path.join(home, 'clone');
const nodes = nodesFolder(home);

/** The variables of a person's shell, such as for certificates. Those of npm's scripts are left out. */
const shell = Object.fromEntries(
	Object.entries(process.env).filter(
		([name]) => !/^(npm_|INIT_CWD$|NODE_(OPTIONS|PATH|ENV)$)/i.test(name),
	),
);

/** Runs shell commands until one fails; returns the lines of their output. */
const lines = async (cwd: string, commands: string): Promise<string[]> =>
	(await execa('sh', ['-ec', commands], { cwd, env: shell, extendEnv: false, lines: true })).stdout;

/** The first commands that docs/install.md gives under a heading. */
async function documented(heading: string): Promise<string> {
	const text = await readFile(path.join(root, 'docs', 'install.md'), 'utf8');
	const [, section = ''] = text.split(`\n## ${heading}\n`);
	return /```sh\n([^`]+)```/.exec(section)?.[1] ?? '';
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
	await makeClone();
	// What `.ci/run` in a fresh clone begins with: installing this.
	for (const folder of ['sandbox', 'sandbox/n8n']) {
		const modules = path.join(folder, 'node_modules');
		await symlink(path.join(root, modules), path.join(clone, modules), 'junction');
	}
	// Compiling its own code is most of what n8n does when it starts, and other suites start the same one.
	await mkdir(path.join(clone, '.state'));
	await symlink(
		stateFolder('compile-cache'),
		path.join(clone, '.state', 'compile-cache'),
		'junction',
	);
	// n8n has created it.
	await mkdir(nodes, { recursive: true });
	await writeFile(path.join(nodes, 'package.json'), '{ "name": "installed-nodes" }');
});

afterAll(() => rm(home, { recursive: true, force: true }));

test('the documented commands build, pack and install that one package', async () => {
	expect(existsSync(path.join(clone, 'dist'))).toBe(false);
	const tarball = (await lines(clone, await documented('Get the package'))).at(-1) ?? '';
	expect(path.isAbsolute(tarball)).toBe(true);
	const install = await documented('npm');
	expect(install).toMatch(/~.*\/path\/to\//s);
	await lines(home, install.replace('~', home).replace('/path/to', path.dirname(tarball)));
	expect(await installedIn(nodes)).toStrictEqual([packageName]);
}, 120_000);

test('an n8n of the suites has the same package and nothing else', async () => {
	const ofSuite = path.join(home, 'suite');
	await installNodePackage(ofSuite);
	expect(await installedIn(nodesFolder(ofSuite))).toStrictEqual([packageName]);
	const fromClone = await contentsOf(packageFolder(home));
	expect(Object.keys(fromClone).length).toBeGreaterThan(50);
	expect(await contentsOf(packageFolder(ofSuite))).toStrictEqual(fromClone);
});

test('npm run demo starts the sandbox, and takes the tour of docs/sandbox.md', async () => {
	const said = (await lines(clone, 'npm run demo')).join('\n');
	const addresses = ['n8n', 'Emails', 'First flow', 'The tour'];
	const shown = addresses.filter((name) =>
		said.includes(`\n  ${name.padEnd(12)}http://127.0.0.1:`),
	);
	expect([shown, said.endsWith('The demo succeeded.')]).toStrictEqual([addresses, true]);
}, 180_000);
