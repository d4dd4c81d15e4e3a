import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { ensureN8nInstalled } from '../../sandbox/n8n/install.mts';
import { startN8n } from '../../sandbox/n8n/n8n.mts';
import { installNodePackage } from '../../sandbox/n8n/nodePackage.mts';
import { ownerOf, signIn } from '../../sandbox/n8n/owner.mts';
import { createRest } from '../../sandbox/n8n/rest.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import { holdLock } from '../../sandbox/shared/lock.mts';
import { root } from '../../sandbox/shared/paths.mts';
import { slowDatabase } from '../../sandbox/testing/deployment.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { startService } from '../../sandbox/shared/service.mts';
import { folderOf, writeAddresses, type Addresses } from '../support/addresses.mts';

/** Also returns how to stop what is not a server in this process. */
type Start = (folder: string) => Promise<Addresses & { stop?: () => Promise<void> }>;

/** The part of jest's project settings that matters here. */
interface Project {
	displayName?: { name: string };
}

/** The suites that this process has set up, each with the function that stops it. */
export const started = new Map<string, (() => Promise<void>) | undefined>();

/** Makes the set-up of a suite, for jest or for keep.mts; it starts in an empty folder. */
export const setUp = (start: Start) => async (_settings: unknown, project: Project) => {
	const suite = project.displayName?.name ?? '';
	if (isKept(suite)) return;
	if (!(await holdLock(suite))) {
		throw new Failure(`The suite ${suite} of this checkout is running already: wait for it.`);
	}
	const folder = folderOf(suite);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true, mode: 0o700 });
	await ensureN8nInstalled(console.log);
	const { stop, ...addresses } = await start(folder);
	writeAddresses(suite, addresses);
	started.set(suite, stop);
};

const keeperOf = (suite: string) => path.join(folderOf(suite), 'keeper');

/** Records that this process keeps what the suite needs, so that other processes use it. */
export function keep(suite: string): void {
	writeFileSync(keeperOf(suite), String(process.pid));
}

/** True while another process keeps what the suite needs; a Failure if that is out of date. */
function isKept(suite: string): boolean {
	const keeper = keeperOf(suite);
	try {
		// Throws unless the process exists.
		process.kill(Number(readFileSync(keeper, 'utf8')), 0);
	} catch {
		return false;
	}
	const started = statSync(keeper).mtimeMs;
	const sources = globSync('{nodes,credentials}/**/*.*', { cwd: root });
	const changed = sources.find((file) => statSync(path.join(root, file)).mtimeMs > started);
	if (changed === undefined) return true;
	throw new Failure(`${changed} has changed since n8n was started: start what keeps it again.`);
}

/**
 * For suites with many executions: the setting that docs/scaling.md recommends, which takes much work
 * off n8n. The suites e2e and install run without it.
 */
export const forMany = { ...slowDatabase, N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

interface Version {
	/** Folder whose node_modules contain n8n; the sandbox's own by default. */
	installation?: string;
	env?: Record<string, string>;
}

/** The session cookie of n8n's owner, whose password is in the user folder. */
export async function logIn(url: string, userFolder: string): Promise<string> {
	const { email, password } = await ownerOf(userFolder);
	const response = await fetch(`${url}/rest/login`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ emailOrLdapLoginId: email, password }),
	});
	if (!response.ok) throw new Failure(`n8n refuses its owner's log-in: ${response.status}`);
	return response.headers
		.getSetCookie()
		.map((line) => line.split(';')[0])
		.join('; ');
}

/** n8n and the service, in this folder. */
export async function startBoth(
	userFolder: string,
	{ installation, env }: Version,
): Promise<Addresses> {
	const [port = 0, servicePort = 0, runnersBrokerPort = 0] = await freePorts(3);
	const options = { userFolder, installation, port, runnersBrokerPort, log: console.log };
	const [n8n, service] = await Promise.all([
		startN8n({ ...options, env: { ...slowDatabase, ...env } }),
		startService({ port: servicePort, logFile: path.join(userFolder, 'service.log') }),
	]);
	await signIn(createRest(n8n.url), userFolder);
	const session = await logIn(n8n.url, userFolder);
	return { n8nUrl: n8n.url, serviceUrl: service.url, userFolder, session, logs: [n8n.logFile] };
}

/** The same, with the package installed. */
export async function startN8nAndService(
	userFolder: string,
	version: Version = {},
): Promise<Addresses> {
	const { installation } = version;
	const tarball = await installNodePackage({ userFolder, installation, log: console.log });
	return { ...(await startBoth(userFolder, version)), tarball };
}
