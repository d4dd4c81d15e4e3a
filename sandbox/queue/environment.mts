import { database } from './postgres.mts';
import type { Secrets } from './secrets.mts';

export interface QueueEnvironment {
	redisPort: number;
	postgresPort: number;
	secrets: Secrets;
}

/** What makes an n8n a part of queue mode; the same in every process. */
export function queueEnvironment(options: QueueEnvironment): Record<string, string> {
	const { redisPort, postgresPort, secrets } = options;
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
		// What the editor's button starts goes to the workers as well, as in production.
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		// The webhook processes answer them; main would, too, if somebody asked it directly.
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
	};
}

/** A worker listens only when it is asked for its health. */
export function workerEnvironment(port: number): Record<string, string> {
	return {
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
	};
}
