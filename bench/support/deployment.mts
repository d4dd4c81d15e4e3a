import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { ensureN8nInstalled } from '../../sandbox/n8n/install.mts';
import { startN8n } from '../../sandbox/n8n/n8n.mts';
import { installNodePackage } from '../../sandbox/n8n/nodePackage.mts';
import { signIn } from '../../sandbox/n8n/owner.mts';
import { createRest, type N8nRest } from '../../sandbox/n8n/rest.mts';
import { ensurePrograms } from '../../sandbox/queueMode/programs.mts';
import { startQueueMode, type Part } from '../../sandbox/queueMode/queueMode.mts';
import { Failure, type Log } from '../../sandbox/shared/failure.mts';
import { stateFolder } from '../../sandbox/shared/paths.mts';
import { poll } from '../../sandbox/shared/poll.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import type { RunningServer } from '../../sandbox/shared/server.mts';

/** n8n in one process with SQLite, or in its queue mode. */
export type Mode = 'regular' | 'queue';

/** The members in queue mode that store n8n's data. */
export const stores = ['redis', 'postgres'];

/** One process of a deployment; it can be killed, like a crash, and started again. */
export interface Member {
	name: string;
	/** Undefined while it is not running. */
	pid(): number | undefined;
	/** Like `kill -9`; resolves when it has ended. */
	kill(): Promise<void>;
	/** Starts it at its old address; resolves when it is ready. */
	start(): Promise<void>;
}

/** A running n8n, in one process or in several, with the package under test. */
export interface Deployment {
	mode: Mode;
	/** The address of its editor and webhooks; a restart does not change it. */
	url: string;
	/** As its owner; the session survives restarts. */
	rest: N8nRest;
	/** In start order. */
	members: Member[];
	/** The process of a kind; of several, the one that works on an execution, or the first. */
	choose(kind: string, executionId?: string): Promise<string>;
	/** n8n's user folder, which also contains its logs. */
	folder: string;
	stop(): Promise<void>;
}

/** On a busy machine, a burst keeps n8n from its own database for longer than the default of 5 s. */
export const slowDatabase = { DB_PING_TIMEOUT_MS: '60000' };

/**
 * For counting executions. By default n8n would delete old ones during a run, before they could be
 * counted. Keeping tens of thousands of small rows does not affect the times.
 */
export const countable = { ...slowDatabase, EXECUTIONS_DATA_PRUNE: 'false' };

/** Variables for n8n, from words like NAME=value; a Failure names an invalid word. */
export function variablesIn(words: string[]): Record<string, string> {
	const pairs = words.map((word) => {
		const [, name, value = ''] = /^([A-Z0-9_]+)=(.*)$/s.exec(word) ?? [];
		if (name !== undefined) return [name, value] as const;
		throw new Failure(`"${word}" is no variable for n8n: write NAME=value, the name in capitals.`);
	});
	return Object.fromEntries(pairs);
}

/** How to start a deployment. */
interface DeploymentOptions {
	/** Emptied first; a folder below `.state/bench` by default. */
	folder?: string;
	/** Added to the environment of every n8n process. */
	env?: Record<string, string>;
	log?: Log;
}

/** Installs what the modes need: the second one would otherwise ask for it after an hour. */
export async function prepare(modes: Mode[]): Promise<void> {
	const folder = stateFolder('bench');
	await mkdir(folder, { recursive: true });
	await ensureN8nInstalled(console.log);
	if (modes.includes('queue')) await ensurePrograms(console.log, path.join(folder, 'apt.log'));
}

/** Starts a fresh n8n with the package under test. */
export async function start(
	mode: Mode,
	{ folder = stateFolder('bench', mode), env = {}, log = console.log }: DeploymentOptions = {},
): Promise<Deployment> {
	await rm(folder, { recursive: true, force: true });
	return await starts[mode]({ folder, env, log });
}

const starts = { regular: startRegular, queue: startQueue };

async function startRegular(options: Required<DeploymentOptions>): Promise<Deployment> {
	const { folder, env, log } = options;
	await ensureN8nInstalled(log);
	await mkdir(folder, { recursive: true, mode: 0o700 });
	await installNodePackage({ userFolder: folder, log });
	const [port = 0, runnersBrokerPort = 0] = await freePorts(2);
	const own = { userFolder: folder, port, runnersBrokerPort, env, log: () => undefined };
	log('Starting n8n in one process.');
	const n8n = await startN8n(own);
	const url = `http://127.0.0.1:${port}`;
	const rest = createRest(url);
	await signIn(rest, folder);
	return {
		...{ mode: 'regular', url, rest, folder },
		members: [memberOf(n8n)],
		choose: () => Promise.resolve(n8n.name),
		stop: () => n8n.stop(),
	};
}

/** Main, two workers and two webhook processes, with Redis and PostgreSQL. */
async function startQueue(options: Required<DeploymentOptions>): Promise<Deployment> {
	const { folder, env, log } = options;
	const queue = await startQueueMode({ userFolder: folder, env, log });
	const { url, rest, redis, postgres, main, workers, webhooks } = queue;
	const first: Record<string, Part | undefined> = { webhook: webhooks[0], worker: workers[0] };
	return {
		...{ mode: 'queue', url, rest, folder },
		members: [redis, postgres, main, ...workers, ...webhooks].map(memberOf),
		choose: async (kind, executionId) =>
			kind === 'worker' && executionId !== undefined
				? await workerOf(workers, executionId)
				: (first[kind]?.name ?? kind),
		stop: () => queue.stop(),
	};
}

/** The worker that has taken an execution, according to its log. */
async function workerOf(workers: Part[], executionId: string): Promise<string> {
	const taken = new RegExp(`execution ${executionId}\\b`);
	return await poll({
		expected: `a worker to take execution ${executionId}`,
		within: 60_000,
		pause: 25,
		read: async () => {
			for (const { name, logFile } of workers) {
				if (taken.test(await readFile(logFile, 'utf8'))) return name;
			}
			return undefined;
		},
	});
}

/** A process of the sandbox that also shows whether it is running. */
export function memberOf(part: RunningServer): Member {
	let isUp = false;
	const watch = () => {
		const { ended } = part;
		isUp = true;
		void ended.then(() => {
			if (ended === part.ended) isUp = false;
		});
	};
	watch();
	return {
		name: part.name,
		pid: () => (isUp ? part.pid : undefined),
		kill: () => part.kill(),
		start: async () => {
			await part.start();
			watch();
		},
	};
}
