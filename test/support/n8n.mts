import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureN8nInstalled } from '../../sandbox/n8n/install.mts';
import { isServed, startN8n } from '../../sandbox/n8n/n8n.mts';
import { installNodePackage } from '../../sandbox/n8n/nodePackage.mts';
import { signIn } from '../../sandbox/n8n/owner.mts';
import { createRest } from '../../sandbox/n8n/rest.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import { holdLock, withLock } from '../../sandbox/shared/lock.mts';
import { n8nFolder, stateFolder } from '../../sandbox/shared/paths.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { stopAllServers } from '../../sandbox/shared/server.mts';
import { until } from '../../sandbox/shared/until.mts';
import { share, type Shared } from './shared.mts';

const imports = ['quickWaits.mjs', 'ownPackages.mjs'].map(
	(file) => `--import ${pathToFileURL(path.join(import.meta.dirname, file)).href}`,
);

/** What no test needs: without these, n8n starts with a fifth less work. */
const modules =
	'agents,agent-evals,breaking-changes,chat-hub,dynamic-credentials,external-secrets,insights,instance-ai,mcp,mcp-registry';

/**
 * For tests with many executions: the setting that docs/scaling.md recommends, which takes much work
 * off n8n, patience of n8n with its own database on a busy machine, and time limits that come at once.
 */
const forMany = {
	N8N_DISABLED_MODULES: modules,
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
	DB_PING_TIMEOUT_MS: '60000',
	NODE_OPTIONS: imports.join(' '),
};

type Variables = Record<string, string>;

interface Options {
	/** Folder whose node_modules contain n8n; the sandbox's own by default. */
	installation?: string;
	env?: Variables;
}

type Start = (folder: string) => Promise<Shared>;

/** The part of jest's project settings that matters here. */
interface Project {
	displayName?: { name: string };
}

let running: { start: Start; shared: Promise<Shared> } | undefined;

/**
 * Makes the set-up of suites, which starts in an empty folder. Suites with the same set-up share what
 * it starts for the first of them; others need a process of their own.
 */
export const setUp = (start: Start) => async (_settings: unknown, project: Project) => {
	running ??= { start, shared: begin(project.displayName?.name ?? '', start) };
	if (running.start !== start) throw new Failure('Run these suites with a command for each.');
	share(await running.shared);
};

async function begin(name: string, start: Start): Promise<Shared> {
	if (!(await holdLock(`tests-${name}`))) {
		throw new Failure(`The suite "${name}" of this checkout is running already: wait for it.`);
	}
	const folder = stateFolder(name);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true, mode: 0o700 });
	return await start(folder);
}

/** Stops what the set-up has started, and fails if a secret has leaked. */
export async function tearDown(): Promise<void> {
	if (running === undefined) return;
	const shared = await running.shared;
	running = undefined;
	// It knows the credentials of the tests, and so what is shared: not before that has been started.
	const { leaks } = await import('./leaks.mts');
	const found = leaks(shared);
	await shared.stop?.();
	await stopAllServers();
	if (found.length > 0) throw new Error(`Secrets have leaked: ${found.join('; ')}`);
}

/** Where an n8n keeps its temporary files. */
export const temporaryIn = (userFolder: string) => path.join(userFolder, 'tmp');

/** The variables of an n8n for tests. */
export async function variablesIn(userFolder: string, env: Variables = {}): Promise<Variables> {
	await mkdir(temporaryIn(userFolder), { recursive: true });
	return { ...forMany, TMPDIR: temporaryIn(userFolder), ...env };
}

/** Starts n8n at ports of its own, and signs in. */
async function run(userFolder: string, { installation, env: given }: Options) {
	const [port = 0, runnersBrokerPort = 0] = await freePorts(2);
	const env = await variablesIn(userFolder, given);
	const n8n = await startN8n({ userFolder, installation, port, runnersBrokerPort, env });
	const rest = createRest(n8n.url);
	await signIn(rest, userFolder);
	return { ...n8n, folder: userFolder, rest };
}

/** Lets n8n create its database once, which takes most of a first start, and set up its owner. */
async function migrate(folder: string, options: Options): Promise<void> {
	console.log('Letting n8n create its database, once for all tests of this checkout.');
	const unfinished = `${folder}-unfinished`;
	await rm(unfinished, { recursive: true, force: true });
	await mkdir(unfinished, { recursive: true, mode: 0o700 });
	const { stop } = await run(unfinished, options);
	await stop();
	await rename(unfinished, folder);
}

/** Fills the folder of an n8n that has a database and an owner, but has never been used. */
async function fillFolder(userFolder: string, options: Options): Promise<void> {
	await ensureN8nInstalled();
	const { installation = n8nFolder } = options;
	const manifest = path.join(installation, 'node_modules', 'n8n', 'package.json');
	const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
	const migrated = stateFolder('migrated', version);
	const ensure = async () => {
		if (!existsSync(migrated)) await migrate(migrated, options);
	};
	await withLock('migrate', () => undefined, ensure);
	for (const name of ['.n8n', 'sandbox.json']) {
		await cp(path.join(migrated, name), path.join(userFolder, name), { recursive: true });
	}
}

/** Starts an n8n in an empty folder, without the package. */
export async function startBare(folder: string, options: Options = {}) {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	await fillFolder(folder, options);
	return await run(folder, options);
}

/** The same, with the package under test. */
export async function startOwnN8n(folder: string, options: Options = {}) {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const { installation } = options;
	await installNodePackage(folder, installation);
	return await startBare(folder, options);
}

/** What a suite shares of an n8n that has been started for it. */
export const sharedOf = (n8n: Awaited<ReturnType<typeof startBare>>): Shared => {
	const { url: n8nUrl, folder: userFolder, rest, logFile } = n8n;
	return { n8nUrl, userFolder, rest, logs: [logFile] };
};

/**
 * What a suite shares of an n8n that somebody else has started on this machine, perhaps just now, and
 * nobody has used.
 */
export async function sharedAt(n8nUrl: string, userFolder: string): Promise<Shared> {
	const isReady = () => isServed(n8nUrl).catch(() => false);
	await until(`n8n serves ${n8nUrl}`, isReady, 180_000);
	const rest = createRest(n8nUrl);
	await signIn(rest, userFolder);
	return { n8nUrl, userFolder, rest, logs: [] };
}
