import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { actionType } from '../../sandbox/n8n/examples.mts';
import { signIn } from '../../sandbox/n8n/owner.mts';
import { createRest, type N8nRest } from '../../sandbox/n8n/rest.mts';
import { root } from '../../sandbox/shared/paths.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { until } from '../support/until.mts';

const copied = ['package.json', 'index.js', 'tsconfig.json', 'README.md', 'LICENSE.md'];
const folders = ['nodes', 'credentials', 'icons', 'examples', 'sandbox'];
const modules = ['node_modules', 'sandbox/node_modules', 'sandbox/n8n/node_modules'];

/** A checkout of its own, which a test may change; only what is installed is the same. */
async function copyCheckout(): Promise<string> {
	const copy = await mkdtemp(path.join(tmpdir(), 'dev-'));
	const filter = (source: string) => path.basename(source) !== 'node_modules';
	for (const name of [...copied, ...folders]) {
		await cp(path.join(root, name), path.join(copy, name), { recursive: true, filter });
	}
	for (const name of modules) await symlink(path.join(root, name), path.join(copy, name));
	return copy;
}

const isFree = (port: number) =>
	new Promise<boolean>((resolve) => {
		const server = createServer().once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});

describe('npm run dev', () => {
	let copy: string;
	let ports: number[];
	let dev: ChildProcess;
	let rest: N8nRest;
	let output = '';

	/** What n8n tells the editor about the action node. */
	const described = async () => {
		const types = await rest.nodeTypes();
		return JSON.stringify(types.find(({ name }) => name === actionType));
	};

	beforeAll(async () => {
		copy = await copyCheckout();
		ports = await freePorts(4);
		const [n8n = 0, service = 0, mailbox = 0, smtp = 0] = ports.map(String);
		dev = spawn(process.execPath, ['sandbox/start.mts', '--dev'], {
			cwd: copy,
			env: {
				...process.env,
				SANDBOX_N8N_PORT: String(n8n),
				SANDBOX_SERVICE_PORT: String(service),
				SANDBOX_MAILBOX_PORT: String(mailbox),
				SANDBOX_SMTP_PORT: String(smtp),
			},
		});
		dev.stdout?.on('data', (text: Buffer) => (output += text.toString()));
		dev.stderr?.on('data', (text: Buffer) => (output += text.toString()));
		const isUp = () => output.includes('The sandbox is running.');
		await until(`the sandbox is running; it says ${output}`, isUp, 240_000);
		rest = createRest(`http://127.0.0.1:${n8n}`);
		await signIn(rest, path.join(copy, '.dev'));
	});
	afterAll(async () => {
		if (dev.exitCode === null && dev.signalCode === null) dev.kill('SIGKILL');
		await rm(copy, { recursive: true, force: true });
	});

	test('n8n serves what was saved last, without a new start', async () => {
		const file = path.join(copy, 'nodes/DataCollection/actions/collectionRequest/index.ts');
		const [before, after] = ['Create a collection request', 'Create what was just saved'];
		assert.match(await described(), new RegExp(before));
		await writeFile(file, (await readFile(file, 'utf8')).replaceAll(before, after));
		// While n8n writes its descriptions anew it has none to give.
		const isServed = async () => (await described().catch(() => '')).includes(after);
		await until('n8n describes the node as it was saved', isServed, 180_000);
	});

	test('says what the compiler finds wrong', async () => {
		const file = path.join(copy, 'nodes/DataCollection/clock.ts');
		await writeFile(file, `${await readFile(file, 'utf8')}\nexport const wrong: string = 1;\n`);
		await until('an error of the compiler', () => /clock\.ts.*error TS2322/.test(output));
	});

	test('ends with all that it has started', async () => {
		const ended = once(dev, 'exit');
		dev.kill('SIGINT');
		assert.deepEqual(await ended, [0, null]);
		for (const port of ports) assert.ok(await isFree(port), `port ${port} is free again`);
	});
});
