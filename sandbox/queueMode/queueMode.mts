import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureN8nInstalled } from '../n8n/install.mts';
import { startN8n } from '../n8n/n8n.mts';
import { installNodePackage } from '../n8n/nodePackage.mts';
import { signIn } from '../n8n/owner.mts';
import { createRest } from '../n8n/rest.mts';
import type { Log } from '../shared/failure.mts';
import { freePorts } from '../shared/ports.mts';
import type { RunningServer } from '../shared/server.mts';
import { database, startPostgres } from './postgres.mts';
import { ensurePrograms } from './programs.mts';
import { startLoadBalancer } from './loadBalancer.mts';
import { startRedis } from './redis.mts';

interface QueueModeOptions {
	/** Main's user folder, which contains those of the other processes. */
	userFolder: string;
	/** The load balancer's port, the only entry point; a free port by default. */
	port?: number;
	/** Added to the environment of every n8n process; overrides what is set here. */
	env?: Record<string, string>;
	log: Log;
}

/** A process in queue mode; it keeps its port on 127.0.0.1 when it restarts. */
export type Part = RunningServer & { port: number };

/** n8n's queue mode on loopback, with the package in every process. */
export type QueueMode = Awaited<ReturnType<typeof startQueueMode>>;

const workerNames = ['worker-1', 'worker-2'];
const webhookNames = ['webhook-1', 'webhook-2'];

/** Starts Redis, PostgreSQL and main, then workers, webhook processes and a load balancer. */
export async function startQueueMode(options: QueueModeOptions) {
	const { userFolder, log } = options;
	await mkdir(userFolder, { recursive: true, mode: 0o700 });
	await ensureN8nInstalled(log);
	const programs = await ensurePrograms(log, path.join(userFolder, 'apt.log'));
	await installNodePackage({ userFolder, log });
	const secrets = await ensureSecrets(userFolder);
	const ports = await freePorts(3 + 2 * (1 + workerNames.length + webhookNames.length));
	const nextPort = () => ports.pop() ?? 0;
	const { port = nextPort() } = options;
	const url = `http://127.0.0.1:${port}`;

	log('Starting Redis and PostgreSQL.');
	const [redis, postgres] = await Promise.all([
		startRedis(programs, path.join(userFolder, 'redis'), nextPort()),
		startPostgres(
			programs,
			path.join(userFolder, 'postgres'),
			nextPort(),
			secrets.databasePassword,
		),
	]);
	const env = { ...environment(redis.port, postgres.port, secrets), ...options.env };
	const place = () => {
		const own = { port: nextPort(), runnersBrokerPort: nextPort() };
		return { ...own, userFolder, publicUrl: url, env, log };
	};
	const main = await startN8n({ ...place(), name: 'main' });

	log('Starting two workers and two webhook processes.');
	const startAll = (command: 'worker' | 'webhook', names: string[]) =>
		Promise.all(names.map((name) => startOther({ ...place(), command, name })));
	const [workers, webhooks] = await Promise.all([
		startAll('worker', workerNames),
		startAll('webhook', webhookNames),
	]);
	const loadBalancerLog = path.join(userFolder, 'load-balancer.log');
	const closeLoadBalancer = await startLoadBalancer(port, main, webhooks, loadBalancerLog);
	const rest = createRest(url);
	const owner = await signIn(rest, userFolder);
	const backends = [redis, postgres];
	return {
		/** The load balancer's URL, for editor and webhooks, without a trailing slash. */
		url,
		/** As the owner, through the load balancer. */
		rest,
		owner,
		...{ main, workers, webhooks, redis, postgres },
		logFile: main.logFile,
		parts: [main, ...workers, ...webhooks, ...backends],
		loadBalancerLog,
		/** The variables with which PostgreSQL's programs, such as `psql`, find the database. */
		databaseEnv: {
			PGHOST: '127.0.0.1',
			PGPORT: String(postgres.port),
			PGDATABASE: database.name,
			PGUSER: database.user,
			PGPASSWORD: secrets.databasePassword,
		},
		/** Stops everything in order; stored data is kept for the next start. */
		stop: async () => {
			await closeLoadBalancer();
			await Promise.all([main, ...workers, ...webhooks].map((part) => part.stop()));
			await Promise.all(backends.map((part) => part.stop()));
		},
	};
}

/** The variables that make n8n part of queue mode; the same in every process. */
function environment(redisPort: number, postgresPort: number, secrets: Secrets) {
	return {
		EXECUTIONS_MODE: 'queue',
		N8N_ENCRYPTION_KEY: secrets.encryptionKey,
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redisPort),
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgresPort),
		DB_POSTGRESDB_DATABASE: database.name,
		DB_POSTGRESDB_USER: database.user,
		DB_POSTGRESDB_PASSWORD: secrets.databasePassword,
		// The webhook processes handle production URLs; main would too, if called directly.
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
	};
}

type Other = Parameters<typeof startN8n>[0] & { name: string };

/** Starts a process with the package in a separate folder, as if on a separate machine. */
async function startOther({ userFolder: mainFolder, ...options }: Other): Promise<Part> {
	const userFolder = path.join(mainFolder, options.name);
	const nodes = path.join('.n8n', 'nodes');
	await rm(path.join(userFolder, nodes), { recursive: true, force: true });
	await cp(path.join(mainFolder, nodes), path.join(userFolder, nodes), { recursive: true });
	// A worker listens on a port only if its health check is enabled.
	const health = {
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(options.port),
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
	};
	const env = { ...(options.command === 'worker' && health), ...options.env };
	return await startN8n({ ...options, userFolder, env });
}

/** Every n8n process needs the same encryption key to read the credentials. */
type Secrets = Record<'encryptionKey' | 'databasePassword', string>;

/** The folder's secrets, generated on the first start and readable only by their owner. */
async function ensureSecrets(folder: string): Promise<Secrets> {
	const file = path.join(folder, 'queue.json');
	if (!existsSync(file)) {
		const secret = () => randomBytes(24).toString('base64url');
		const secrets = { encryptionKey: secret(), databasePassword: secret() };
		await writeFile(file, JSON.stringify(secrets), { mode: 0o600 });
	}
	return JSON.parse(await readFile(file, 'utf8')) as Secrets;
}
