import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startN8n, type RunningN8n } from '../../sandbox/n8n/n8n.mts';
import { installNodePackage } from '../../sandbox/n8n/nodePackage.mts';
import { ownerOf, signIn } from '../../sandbox/n8n/owner.mts';
import { createRest } from '../../sandbox/n8n/rest.mts';
import { startQueueMode } from '../../sandbox/queueMode/queueMode.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import { withLock } from '../../sandbox/shared/lock.mts';
import { n8nFolder, stateFolder } from '../../sandbox/shared/paths.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { startService } from '../../sandbox/shared/service.mts';
import type { Shared } from './suite.mts';

const quickWaits = pathToFileURL(path.join(import.meta.dirname, 'quickWaits.mjs')).href;

/**
 * For tests with many executions: the setting that docs/scaling.md recommends, which takes much work
 * off n8n, patience of n8n with its own database on a busy machine, and time limits that come at once.
 */
const forMany = {
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
	DB_PING_TIMEOUT_MS: '60000',
	NODE_OPTIONS: `--import ${quickWaits}`,
};

/** The variables of an n8n, whose temporary files stay in its folder. */
async function variablesIn(userFolder: string, env: Record<string, string> = {}) {
	await mkdir(temporaryIn(userFolder), { recursive: true });
	return { ...forMany, TMPDIR: temporaryIn(userFolder), ...env };
}

/** Where an n8n keeps its temporary files. */
export const temporaryIn = (userFolder: string) => path.join(userFolder, 'tmp');

interface Options {
	/** Folder whose node_modules contain n8n; the sandbox's own by default. */
	installation?: string;
	env?: Record<string, string>;
}

const versionOf = async (installation: string) => {
	const file = path.join(installation, 'node_modules', 'n8n', 'package.json');
	return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version;
};

async function run(userFolder: string, options: Options & { port: number; broker: number }) {
	const { port, broker, installation, env } = options;
	const log = () => undefined;
	const own = { userFolder, installation, port, runnersBrokerPort: broker, log };
	return await startN8n({ ...own, env: await variablesIn(userFolder, env) });
}

/** Lets n8n create its database once, which takes most of a first start, and set up its owner. */
async function migrate(folder: string, options: Options): Promise<void> {
	console.log('Letting n8n create its database, once for all tests of this checkout.');
	const unfinished = `${folder}-unfinished`;
	await rm(unfinished, { recursive: true, force: true });
	await mkdir(unfinished, { recursive: true, mode: 0o700 });
	const [port = 0, broker = 0] = await freePorts(2);
	const n8n = await run(unfinished, { ...options, port, broker });
	await signIn(createRest(n8n.url), unfinished);
	await n8n.stop();
	await rename(unfinished, folder);
}

/** Fills the folder of an n8n that has a database and an owner, but has never been used. */
async function fillFolder(userFolder: string, options: Options = {}): Promise<void> {
	const { installation = n8nFolder } = options;
	const migrated = stateFolder('migrated', await versionOf(installation));
	await withLock(
		'migrate',
		() => undefined,
		async () => {
			if (!existsSync(migrated)) await migrate(migrated, options);
		},
	);
	for (const name of ['.n8n', 'sandbox.json']) {
		await cp(path.join(migrated, name), path.join(userFolder, name), { recursive: true });
	}
}

/** The session cookie of n8n's owner, whose password is in the user folder. */
async function logIn(url: string, userFolder: string): Promise<string> {
	const { email, password } = await ownerOf(userFolder);
	const response = await fetch(`${url}/rest/login`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ emailOrLdapLoginId: email, password }),
	});
	if (!response.ok) throw new Failure(`n8n refuses its owner's log-in: ${response.status}`);
	const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]);
	return cookies.join('; ');
}

/**
 * Starts an n8n in an empty folder, without the package. It may be stopped or killed, and started
 * again with other variables: address, folder and session stay the same.
 */
export async function startBare(folder: string, options: Options = {}) {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	await fillFolder(folder, options);
	const [port = 0, broker = 0] = await freePorts(2);
	let running: RunningN8n;
	const start = async (env = options.env) => {
		running = await run(folder, { ...options, env, port, broker });
	};
	await start();
	const url = `http://127.0.0.1:${port}`;
	const session = await logIn(url, folder);
	return {
		url,
		folder,
		session,
		rest: createRest(url, session),
		/** Starts it again, with other variables if there are any. */
		start: async (env?: Options['env']) => await (env ? start(env) : running.start()),
		/** Resolves when it has ended. */
		get ended() {
			return running.ended;
		},
		kill: () => running.kill(),
		stop: () => running.stop(),
		logFile: path.join(folder, 'n8n.log'),
	};
}

/** The same, with the package under test. */
export async function startOwnN8n(folder: string, options: Options = {}) {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const { installation } = options;
	const tarball = await installNodePackage({ userFolder: folder, installation, log: console.log });
	return Object.assign(await startBare(folder, options), { tarball });
}

/** What a suite shares, from an n8n that has been started, with the service beside it. */
export async function withService(n8n: Awaited<ReturnType<typeof startBare>>): Promise<Shared> {
	const { url, folder, session, rest, logFile } = n8n;
	const [port = 0] = await freePorts(1);
	const service = await startService({ port, logFile: path.join(folder, 'service.log') });
	const addresses = { n8nUrl: url, serviceUrl: service.url, userFolder: folder };
	return { ...addresses, rest, session, logs: [logFile] };
}

/** n8n's queue mode, with Redis, PostgreSQL, main, workers and webhook processes; and the service. */
export async function startQueue(userFolder: string): Promise<Shared> {
	const [port = 0] = await freePorts(1);
	const env = await variablesIn(userFolder, { OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' });
	const [queue, service] = await Promise.all([
		startQueueMode({ userFolder, env, log: console.log }),
		startService({ port, logFile: path.join(userFolder, 'service.log') }),
	]);
	const { url, rest, main, workers, webhooks, stop } = queue;
	return {
		n8nUrl: url,
		serviceUrl: service.url,
		userFolder,
		rest,
		session: await logIn(url, userFolder),
		logs: [main, ...workers, ...webhooks].map(({ logFile }) => logFile),
		queue,
		stop,
	};
}
