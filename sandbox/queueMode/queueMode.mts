import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { ensureN8nInstalled } from '../n8n/install.mts';
import { startN8n } from '../n8n/n8n.mts';
import { installNodePackage } from '../n8n/nodePackage.mts';
import { readState, signIn } from '../n8n/owner.mts';
import { createRest } from '../n8n/rest.mts';
import { freePorts } from '../shared/ports.mts';
import type { RunningServer } from '../shared/server.mts';
import { database, startPostgres, startRedis } from './backends.mts';
import { startLoadBalancer } from './loadBalancer.mts';
import { ensurePrograms } from './programs.mts';

interface QueueModeOptions {
	/** Main's user folder, which contains those of the other processes. */
	userFolder: string;
	/** The load balancer's port, the only entry point; a free port by default. */
	port?: number;
	/** Added to the environment of every n8n process; overrides what is set here. */
	env?: Record<string, string>;
}

/** A process in queue mode. */
export type Part = RunningServer & { port: number };

/** n8n's queue mode on loopback, with the package in every process. */
export type QueueMode = Awaited<ReturnType<typeof startQueueMode>>;

/** Starts Redis, PostgreSQL and main, then workers, webhook processes and a load balancer. */
export async function startQueueMode({ userFolder, port, env }: QueueModeOptions) {
	const inFolder = (name: string) => path.join(userFolder, name);
	await ensureN8nInstalled();
	const { redisBin, postgresBin } = await ensurePrograms(inFolder('apt.log'));
	await installNodePackage(userFolder);
	const { databasePassword } = await readState(userFolder);
	const [entry = 0, redisPort = 0, postgresPort = 0, ...ports] = await freePorts(13);
	const url = `http://127.0.0.1:${port ?? entry}`;

	console.log('Starting Redis and PostgreSQL.');
	const backends = await Promise.all([
		startRedis(redisBin, inFolder('redis'), redisPort),
		startPostgres(postgresBin, inFolder('postgres'), postgresPort, databasePassword),
	]);
	const place = () => {
		const [own = 0, runnersBrokerPort = 0] = ports.splice(0, 2);
		const variables = { ...environment(redisPort, postgresPort, databasePassword), ...env };
		return { port: own, runnersBrokerPort, publicUrl: url, userFolder, env: variables };
	};
	console.log('Starting n8n: a main process, two workers and two webhook processes.');
	const main = await startN8n({ ...place(), name: 'main' });
	const [worker1, worker2, webhook1, webhook2] = await Promise.all([
		startOther({ ...place(), command: 'worker', name: 'worker-1' }),
		startOther({ ...place(), command: 'worker', name: 'worker-2' }),
		startOther({ ...place(), command: 'webhook', name: 'webhook-1' }),
		startOther({ ...place(), command: 'webhook', name: 'webhook-2' }),
	]);
	const workers = [worker1, worker2];
	const webhooks = [webhook1, webhook2];
	const loadBalancerLog = inFolder('load-balancer.log');
	const stop = await startLoadBalancer(port ?? entry, main, webhooks, loadBalancerLog);
	const rest = createRest(url);
	const owner = await signIn(rest, userFolder);
	return {
		/** The load balancer's URL, for editor and webhooks, without a trailing slash. */
		url,
		/** As the owner, through the load balancer. */
		rest,
		owner,
		...{ main, workers, webhooks },
		logFile: main.logFile,
		parts: [main, ...workers, ...webhooks, ...backends] as Part[],
		loadBalancerLog,
		/** The folder of PostgreSQL's programs, such as `psql`, and variables for them. */
		postgresBin,
		databaseEnv: {
			PGHOST: '127.0.0.1',
			PGPORT: String(postgresPort),
			PGDATABASE: database.name,
			PGUSER: database.user,
			PGPASSWORD: databasePassword,
		},
		/** Stops the load balancer, which is no process: `stopAllServers` stops the others. */
		stop,
	};
}

/** The variables that make n8n part of queue mode; the same in every process. */
function environment(redisPort: number, postgresPort: number, password: string) {
	return {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redisPort),
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgresPort),
		DB_POSTGRESDB_DATABASE: database.name,
		DB_POSTGRESDB_USER: database.user,
		DB_POSTGRESDB_PASSWORD: password,
		// The webhook processes handle production URLs; main would too, if called directly.
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
	};
}

type Other = Parameters<typeof startN8n>[0] & { name: string };

/** Starts a process in a separate folder, as if on a separate machine. */
async function startOther({ userFolder: mainFolder, ...options }: Other) {
	const userFolder = path.join(mainFolder, options.name);
	// The package, and the key with which main encrypts the credentials.
	for (const name of ['.n8n/nodes', '.n8n/config']) {
		await rm(path.join(userFolder, name), { recursive: true, force: true });
		await cp(path.join(mainFolder, name), path.join(userFolder, name), { recursive: true });
	}
	// A worker listens on a port only if its health check is enabled.
	const health = {
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(options.port),
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
	};
	const env = { ...(options.command === 'worker' && health), ...options.env };
	return await startN8n({ ...options, userFolder, env });
}
