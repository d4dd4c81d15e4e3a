import { randomBytes } from 'node:crypto';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { ensureN8nInstalled } from '../../../sandbox/n8n/install.mts';
import { startN8n } from '../../../sandbox/n8n/n8n.mts';
import { installNodePackage } from '../../../sandbox/n8n/nodePackage.mts';
import { signIn } from '../../../sandbox/n8n/owner.mts';
import { createRest } from '../../../sandbox/n8n/rest.mts';
import { freePorts } from '../../../sandbox/shared/ports.mts';
import { ensureBackends } from '../../support/programs.mts';
import { database, startPostgres, startRedis } from './backends.mts';
import { startLoadBalancer } from './loadBalancer.mts';

/** n8n's queue mode on loopback, with the package in every process. */
export type QueueMode = Awaited<ReturnType<typeof startQueueMode>>;

/**
 * Starts Redis, PostgreSQL and main, then a worker, two webhook processes and a load balancer, in an
 * empty folder, which becomes main's user folder. Every process of n8n gets the variables.
 */
export async function startQueueMode(userFolder: string, variables: Record<string, string>) {
	const inFolder = (name: string) => path.join(userFolder, name);
	await ensureN8nInstalled();
	const { redisBin, postgresBin } = await ensureBackends();
	await installNodePackage(userFolder);
	const password = randomBytes(16).toString('hex');
	const [entry = 0, redisPort = 0, postgresPort = 0, ...ports] = await freePorts(11);
	const url = `http://127.0.0.1:${entry}`;
	await Promise.all([
		startRedis(redisBin, inFolder('redis'), redisPort),
		startPostgres(postgresBin, inFolder('postgres'), postgresPort, password),
	]);
	const env = { ...environment(redisPort, postgresPort, password), ...variables };
	const place = (name: string) => {
		const [port = 0, runnersBrokerPort = 0] = ports.splice(0, 2);
		return { port, runnersBrokerPort, publicUrl: url, userFolder, env, name };
	};
	const main = await startN8n(place('main'));
	const [worker, webhook1, webhook2] = await Promise.all([
		startOther({ ...place('worker'), command: 'worker' }),
		startOther({ ...place('webhook-1'), command: 'webhook' }),
		startOther({ ...place('webhook-2'), command: 'webhook' }),
	]);
	const webhooks = [webhook1, webhook2];
	const stop = await startLoadBalancer(entry, main, webhooks, inFolder('load-balancer.log'));
	const rest = createRest(url);
	await signIn(rest, userFolder);
	return {
		/** The load balancer's URL, for editor and webhooks, without a trailing slash. */
		url,
		/** As the owner, through the load balancer. */
		rest,
		/** The same URL of a webhook at each webhook process, bypassing the load balancer. */
		atEachProcess: (url: string) =>
			webhooks.map(({ port }) => Object.assign(new URL(url), { port }).toString()),
		redisPort,
		logs: [main, worker, ...webhooks].map(({ logFile }) => logFile),
		/** The folder of PostgreSQL's programs, such as `psql`, and variables for them. */
		postgresBin,
		databaseEnv: {
			PGHOST: '127.0.0.1',
			PGPORT: String(postgresPort),
			PGDATABASE: database.name,
			PGUSER: database.user,
			PGPASSWORD: password,
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
		// As n8n 3.0 always does.
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	};
}

type Other = Parameters<typeof startN8n>[0] & { name: string };

/** Starts a process in a separate folder, as if on a separate machine. */
async function startOther({ userFolder: mainFolder, ...options }: Other) {
	const userFolder = path.join(mainFolder, options.name);
	// The package, and the key with which main encrypts the credentials.
	for (const name of ['.n8n/nodes', '.n8n/config']) {
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
