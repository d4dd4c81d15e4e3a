import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { actionType } from '../../sandbox/n8n/examples.mts';
import { signIn } from '../../sandbox/n8n/owner.mts';
import { createRest } from '../../sandbox/n8n/rest.mts';
import { root } from '../../sandbox/shared/paths.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { baseEnv, startServer } from '../../sandbox/shared/server.mts';
import { until } from '../support/until.mts';

const copied = [
	'package.json',
	'index.js',
	'tsconfig.json',
	'gulpfile.js',
	'README.md',
	'LICENSE.md',
];
const folders = ['nodes', 'credentials', 'icons', 'examples', 'sandbox'];
const modules = ['node_modules', 'sandbox/node_modules', 'sandbox/n8n/node_modules'];

/** A copy of the checkout that a test may change; it shares only the installed packages. */
async function copyCheckout(): Promise<string> {
	const copy = await mkdtemp(path.join(tmpdir(), 'dev-'));
	const filter = (source: string) => path.basename(source) !== 'node_modules';
	for (const name of [...copied, ...folders]) {
		await cp(path.join(root, name), path.join(copy, name), { recursive: true, filter });
	}
	for (const name of modules) await symlink(path.join(root, name), path.join(copy, name));
	return copy;
}

const copy = await copyCheckout();
const logFile = path.join(copy, 'dev.log');
const output = async () => await readFile(logFile, 'utf8');
const ports = await freePorts(4);
const names = ['N8N', 'SERVICE', 'MAILBOX', 'SMTP'].map((name) => `SANDBOX_${name}_PORT`);
const dev = await startServer({
	name: 'npm run dev',
	command: process.execPath,
	args: ['sandbox/start.mts', '--dev'],
	cwd: copy,
	env: {
		...baseEnv(),
		TMPDIR: copy,
		...Object.fromEntries(names.map((name, at) => [name, String(ports[at])])),
	},
	logFile,
	isReady: async () => (await output()).includes('The sandbox is running.'),
	stopSignal: 'SIGINT',
});
afterAll(async () => {
	await dev.kill();
	await rm(copy, { recursive: true, force: true });
});

const rest = createRest(`http://127.0.0.1:${ports[0]}`);
beforeAll(() => signIn(rest, path.join(copy, '.state', 'dev')));

/** How n8n describes the action node to the editor. */
const described = async () => {
	const types = await rest.nodeTypes();
	return JSON.stringify(types.find(({ name }) => name === actionType));
};

test('n8n serves what was saved last, without a new start', async () => {
	const file = path.join(copy, 'nodes/DataCollection/actions/collectionRequest/index.ts');
	const [before, after] = ['Create collection request', 'Create what was just saved'];
	expect(await described()).toMatch(new RegExp(before));
	await writeFile(file, (await readFile(file, 'utf8')).replaceAll(before, after));
	// n8n has no descriptions to serve while it rewrites them.
	const isServed = async () => (await described().catch(() => '')).includes(after);
	await until('n8n describes the node as it was saved', isServed, 180_000);
});

test('says what the compiler finds wrong', async () => {
	const file = path.join(copy, 'nodes/DataCollection/basics/clock.ts');
	await writeFile(file, `${await readFile(file, 'utf8')}\nexport const wrong: string = 1;\n`);
	const isSaid = async () => /clock\.ts.*error TS2322/.test(await output());
	await until('an error of the compiler', isSaid);
});

test('ends with all that it has started', async () => {
	await dev.stop();
	expect(await dev.ended).toBe('npm run dev ended with code 0');
	// Each port is free again.
	for (const port of ports)
		await once(createServer().listen(port, '127.0.0.1').unref(), 'listening');
});
