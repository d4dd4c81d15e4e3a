import { execa } from 'execa';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { actionType, credentialType, readExample } from '../../sandbox/n8n/examples.mts';
import { triggerType } from '../../sandbox/n8n/examples.mts';
import { nodesFolder, packageFolder } from '../../sandbox/n8n/nodePackage.mts';
import type { Json } from '../../sandbox/n8n/types.mts';
import { packageName, root } from '../../sandbox/shared/paths.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { n8nUrl, rest, userFolder } from '../support/environment.mts';

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

test('the n8n of the suites has the same package and nothing else', async () => {
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

test('npm start says its addresses, where all responds, and its guest page runs no markup', async () => {
	const names = ['N8N', 'SERVICE', 'MAILBOX', 'SMTP'];
	const ports = await freePorts(names.length);
	const chosen = names.map((name, at) => [`SANDBOX_${name}_PORT`, String(ports[at])] as const);
	const env = { ...shell, ...Object.fromEntries(chosen) };
	const sandbox = execa('npm', ['start'], { cwd: clone, env, extendEnv: false, reject: false });
	const urls: string[] = [];
	for await (const line of createInterface(sandbox.stdout)) {
		urls.push(...(line.match(/http:\/\/127\.0\.0\.1:\S+/g) ?? []));
		if (line.startsWith('Ctrl-C')) break;
	}
	sandbox.stdout.resume();
	// The editor, the console, the mailbox, and the workflow and form of the first example.
	expect(urls.length).toBeGreaterThan(5);
	for (const url of urls) expect([url, (await fetch(url)).status]).toEqual([url, 200]);

	const service = `http://127.0.0.1:${ports[1]}`;
	const markup = '"><script>alert(1)</script>';
	const created = await fetch(`${service}/di/collection-request/`, {
		method: 'POST',
		headers: {
			authorization: 'Bearer sandbox-api-key',
			tokenId: 'sandbox-token-id',
			'content-type': 'application/json',
		},
		body: JSON.stringify({ templateId: markup, webhookIdentifier: markup }),
	});
	const { _id: id } = (await created.json()) as { _id: string };
	const submit = async (email: string) =>
		await fetch(`${service}/request/${id}`, {
			method: 'POST',
			body: new URLSearchParams({ name: markup, email, 'answers[Delivery address]': markup }),
		});
	for (const page of [
		await submit(markup),
		await submit('ann@example.com'),
		await fetch(service),
	]) {
		const text = await page.text();
		expect(text).toContain('&lt;script&gt;');
		expect(text).not.toContain('<script>alert');
	}
	// npm passes no Ctrl-C on, which a terminal sends to all of them.
	sandbox.kill('SIGTERM');
	await sandbox;
	await expect(fetch(service)).rejects.toThrow('fetch failed');
}, 180_000);
