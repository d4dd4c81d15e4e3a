import path from 'node:path';
import { startQueueMode } from '../../sandbox/queueMode/queueMode.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { startService } from '../../sandbox/shared/service.mts';
import { forMany, logIn, setUp } from '../jest/suite.mts';
import { serveControl } from './support/control.mts';

/** What the editor starts runs on workers, as n8n 3.0 always does. */
const env = { ...forMany, OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' };

/** n8n's queue mode: Redis, PostgreSQL, main, workers and webhook processes; and the service. */
export default setUp(async (userFolder) => {
	const [servicePort = 0] = await freePorts(1);
	const [queue, service] = await Promise.all([
		startQueueMode({ userFolder, env, log: console.log }),
		startService({ port: servicePort, logFile: path.join(userFolder, 'service.log') }),
	]);
	const processes = [queue.main, ...queue.workers, ...queue.webhooks];
	const control = await serveControl([...processes, queue.redis, queue.postgres]);
	return {
		...{ n8nUrl: queue.url, serviceUrl: service.url, userFolder },
		session: await logIn(queue.url, userFolder),
		logs: processes.map(({ logFile }) => logFile),
		control: control.listeningOrigin,
		database: queue.databaseEnv,
		stop: async () => {
			await control.close();
			await queue.stop();
		},
	};
});
