import { appendFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ensureN8nInstalled } from '../n8n/install.mts';
import { installNodePackage } from '../n8n/nodePackage.mts';
import { signIn } from '../n8n/owner.mts';
import { createRest, type N8nRest } from '../n8n/rest.mts';
import type { Owner } from '../n8n/types.mts';
import type { Log } from '../shared/failure.mts';
import { freePorts } from '../shared/ports.mts';
import { queueEnvironment } from './environment.mts';
import { startPart, type Part } from './part.mts';
import { clientEnvironment, startPostgres } from './postgres.mts';
import { startMain, startOthers } from './processes.mts';
import { ensurePrograms, type Programs } from './programs.mts';
import { startProxy } from './proxy.mts';
import { startRedis } from './redis.mts';
import { ensureSecrets, type Secrets } from './secrets.mts';

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
	owner: Owner;
	/** The package's tarball that every process has loaded. */
	tarball: string;
	main: Part;
	workers: Part[];
	webhooks: Part[];
	redis: Part;
	postgres: Part;
	/** Has a line for each response: which process gave it. */
	proxyLog: string;
	/** The variables by which PostgreSQL's own programs, such as `psql`, find the database. */
	databaseEnv: Record<string, string>;
	/** Ends everything in order; what is stored stays for the next start. */
	stop(): Promise<void>;
}

interface BackendOptions {
	programs: Programs;
	userFolder: string;
	secrets: Secrets;
	redisPort: number;
	postgresPort: number;
}

async function startBackends(options: BackendOptions): Promise<[redis: Part, postgres: Part]> {
	const { programs, userFolder, secrets, redisPort, postgresPort } = options;
	const password = secrets.databasePassword;
	const inFolder = (name: string) => path.join(userFolder, name);
	return await Promise.all([
		startPart('redis', redisPort, (keepLog) =>
			startRedis({ programs, folder: inFolder('redis'), port: redisPort, keepLog }),
		),
		startPart('postgres', postgresPort, (keepLog) =>
			startPostgres({
				...{ programs, folder: inFolder('postgres'), port: postgresPort, password, keepLog },
			}),
		),
	]);
}

/** A load balancer that notes each response in a file. */
async function startNotingProxy(port: number, main: Part, webhooks: Part[], file: string) {
	return await startProxy({
		...{ port, main, webhooks },
		onAnswer: ({ by, method, path: where, status }) =>
			appendFileSync(file, `${new Date().toISOString()} ${by} ${status} ${method} ${where}\n`),
	});
}

/** Starts Redis, PostgreSQL, main, then workers and webhook processes, and a load balancer. */
export async function startQueueMode(options: QueueModeOptions): Promise<QueueMode> {
	const { userFolder, workers: workerCount = 2, webhooks: webhookCount = 2, log } = options;
	await mkdir(userFolder, { recursive: true, mode: 0o700 });
	await ensureN8nInstalled(log);
	const programs = await ensurePrograms(log, path.join(userFolder, 'apt.log'));
	const tarball = await installNodePackage({ userFolder, log });
	const secrets = await ensureSecrets(userFolder);
	const ports = await freePorts(3 + 2 * (1 + workerCount + webhookCount));
	const nextPort = () => ports.pop() ?? 0;
	const { port = nextPort() } = options;
	const publicUrl = `http://127.0.0.1:${port}`;
	const shared = { secrets, redisPort: nextPort(), postgresPort: nextPort() };

	log('Starting Redis and PostgreSQL.');
	const [redis, postgres] = await startBackends({ programs, userFolder, ...shared });
	const env = { ...queueEnvironment(shared), ...options.env };
	const processes = { userFolder, publicUrl, env, nextPort, log };
	const main = await startMain(processes);
	log(`Starting ${workerCount} workers and ${webhookCount} webhook processes.`);
	const [workers, webhooks] = await Promise.all([
		startOthers('worker', workerCount, processes),
		startOthers('webhook', webhookCount, processes),
	]);
	const proxyLog = path.join(userFolder, 'proxy.log');
	const proxy = await startNotingProxy(port, main, webhooks, proxyLog);
	const rest = createRest(publicUrl);
	const owner = await signIn(rest, userFolder);
	return {
		...{ url: publicUrl, rest, owner, tarball, main, workers, webhooks, redis, postgres, proxyLog },
		databaseEnv: clientEnvironment(postgres.port, secrets.databasePassword),
		stop: async () => {
			await proxy.close();
			await Promise.all([main, ...workers, ...webhooks].map((part) => part.stop()));
			await Promise.all([redis, postgres].map((part) => part.stop()));
		},
	};
}
