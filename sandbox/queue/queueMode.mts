import { appendFileSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ensureN8nInstalled } from '../n8n/install.mts';
import { startN8n, type N8nOptions } from '../n8n/n8n.mts';
import { installNodePackage } from '../n8n/nodePackage.mts';
import { createRest, type N8nRest } from '../n8n/rest.mts';
import { signIn } from '../n8n/setup.mts';
import type { Log } from '../shared/failure.mts';
import { freePorts } from '../shared/ports.mts';
import { queueEnvironment, workerEnvironment } from './environment.mts';
import { startPart, type Part } from './part.mts';
import { clientEnvironment, startPostgres } from './postgres.mts';
import { ensurePrograms } from './programs.mts';
import { startProxy } from './proxy.mts';
import { startRedis } from './redis.mts';
import { ensureSecrets } from './secrets.mts';

export interface QueueModeOptions {
	/** Main's user folder; those of the other processes are in it. */
	userFolder: string;
	/** Of the load balancer, where everybody comes in; a free one unless given. */
	port?: number;
	/** Two unless given. */
	workers?: number;
	/** Two unless given. */
	webhooks?: number;
	/** Added to the environment of every n8n process, or replacing what is set here. */
	env?: Record<string, string>;
	log: Log;
}

/** n8n's queue mode on loopback, with the package in every process. */
export interface QueueMode {
	/** Address of the load balancer: editor and webhooks, without a trailing slash. */
	url: string;
	/** In a session of the owner, through the load balancer. */
	rest: N8nRest;
	/** The package's tarball that every process has loaded. */
	tarball: string;
	main: Part;
	workers: Part[];
	webhooks: Part[];
	redis: Part;
	postgres: Part;
	/** Has a line for each answer: which process gave it. */
	proxyLog: string;
	/** The variables by which PostgreSQL's own programs, such as `psql`, find the database. */
	databaseEnv: Record<string, string>;
	/** Ends everything in order; what is stored stays for the next start. */
	stop(): Promise<void>;
}

/** Starts Redis, PostgreSQL, main, then workers and webhook processes, and a load balancer. */
export async function startQueueMode(options: QueueModeOptions): Promise<QueueMode> {
	const { userFolder, workers: workerCount = 2, webhooks: webhookCount = 2, log } = options;
	await mkdir(userFolder, { recursive: true, mode: 0o700 });
	const inFolder = (name: string) => path.join(userFolder, name);
	await ensureN8nInstalled(log);
	const programs = await ensurePrograms(log, inFolder('apt.log'));
	const tarball = await installNodePackage({ userFolder, log });
	const secrets = await ensureSecrets(userFolder);
	const ports = await freePorts(4 + 2 * (1 + workerCount + webhookCount));
	const nextPort = () => ports.pop() ?? 0;
	const { port = nextPort() } = options;
	const url = `http://127.0.0.1:${port}`;
	const [redisPort, postgresPort] = [nextPort(), nextPort()];

	log('Starting Redis and PostgreSQL.');
	const [redis, postgres] = await Promise.all([
		startPart('redis', redisPort, (keepLog) =>
			startRedis({ programs, folder: inFolder('redis'), port: redisPort, keepLog }),
		),
		startPart('postgres', postgresPort, (keepLog) => {
			const place = { folder: inFolder('postgres'), port: postgresPort };
			return startPostgres({ programs, ...place, password: secrets.databasePassword, keepLog });
		}),
	]);

	const shared = { ...queueEnvironment({ redisPort, postgresPort, secrets }), ...options.env };
	const startProcess = (name: string, command: NonNullable<N8nOptions['command']>) => {
		const [own, runnersBrokerPort] = [nextPort(), nextPort()];
		const folder = command === 'start' ? userFolder : inFolder(name);
		const env = command === 'worker' ? { ...workerEnvironment(own), ...shared } : shared;
		return startPart(name, own, async (keepLog) => {
			const place = { userFolder: folder, port: own, runnersBrokerPort, publicUrl: url };
			return await startN8n({ ...place, name: `n8n's ${name}`, command, env, keepLog, log });
		});
	};
	const startSeveral = (kind: 'worker' | 'webhook', count: number) =>
		Promise.all(
			Array.from({ length: count }, async (_, index) => {
				const name = `${kind}-${index + 1}`;
				// Each process finds the package in its own folder, as on a machine of its own.
				const nodes = path.join('.n8n', 'nodes');
				await cp(inFolder(nodes), path.join(inFolder(name), nodes), { recursive: true });
				return await startProcess(name, kind);
			}),
		);
	// Main prepares the database for all.
	const main = await startProcess('main', 'start');
	log(`Starting ${workerCount} workers and ${webhookCount} webhook processes.`);
	const [workers, webhooks] = await Promise.all([
		startSeveral('worker', workerCount),
		startSeveral('webhook', webhookCount),
	]);

	const proxyLog = inFolder('proxy.log');
	const proxy = await startProxy({
		...{ port, main, webhooks },
		onAnswer: ({ by, method, path: where, status }) =>
			appendFileSync(proxyLog, `${new Date().toISOString()} ${by} ${status} ${method} ${where}\n`),
	});
	const rest = createRest(url);
	await signIn(rest);
	const stop = async () => {
		await proxy.close();
		await Promise.all([main, ...workers, ...webhooks].map((part) => part.stop()));
		await Promise.all([redis, postgres].map((part) => part.stop()));
	};
	const files = { tarball, proxyLog };
	const databaseEnv = clientEnvironment(postgresPort, secrets.databasePassword);
	return { url, rest, ...files, main, workers, webhooks, redis, postgres, databaseEnv, stop };
}
