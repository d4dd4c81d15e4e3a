import { mkdir, rm } from 'node:fs/promises';
import { ensureN8nInstalled } from '../../sandbox/n8n/install.mts';
import type { N8nRest } from '../../sandbox/n8n/rest.mts';
import type { QueueMode } from '../../sandbox/queueMode/queueMode.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import { holdLock } from '../../sandbox/shared/lock.mts';
import { stateFolder } from '../../sandbox/shared/paths.mts';
import { stopAllServers } from '../../sandbox/shared/server.mts';
import { leaks } from './leaks.mts';

/** What the test files of a suite share. */
export interface Shared {
	/** The n8n under test, without a trailing slash. */
	n8nUrl: string;
	/** The emulated service, without a trailing slash. */
	serviceUrl: string;
	/** n8n's user folder. */
	userFolder: string;
	/** n8n's REST API, called as its owner: all files share a session because n8n limits logins. */
	rest: N8nRest;
	/** The cookie of that session. */
	session: string;
	/** The logs of n8n's processes. */
	logs: string[];
	/** The processes of queue mode, if n8n runs in it. */
	queue?: QueueMode;
	/** The npm registry, without a trailing slash. */
	registryUrl?: string;
	/** The packed package, as it would be published. */
	tarball?: string;
	/** Stops what is not a server of the sandbox. */
	stop?: () => Promise<void>;
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
	await running.shared;
};

async function begin(name: string, start: Start): Promise<Shared> {
	if (!(await holdLock(`tests-${name}`))) {
		throw new Failure(`The suite "${name}" of this checkout is running already: wait for it.`);
	}
	const folder = stateFolder(name);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true, mode: 0o700 });
	await ensureN8nInstalled(console.log);
	return await start(folder);
}

/** What the set-up has started; throws if there was none. */
export async function shared(): Promise<Shared> {
	if (running === undefined) throw new Failure('Run these tests with "npm run suite".');
	return await running.shared;
}

/** Stops what the set-up has started, and fails if a secret has leaked. */
export async function tearDown(): Promise<void> {
	if (running === undefined) return;
	const { shared: starting } = running;
	running = undefined;
	const started = await starting;
	const found = await leaks(started);
	await started.stop?.();
	await stopAllServers();
	if (found.length > 0) throw new Error(`Secrets have leaked: ${found.join('; ')}`);
}
