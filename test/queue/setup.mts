import { setUp, variablesIn } from '../support/n8n.mts';
import { startQueueMode } from './support/queueMode.mts';

/** n8n's queue mode, with Redis, PostgreSQL, main, workers and webhook processes. */
export default setUp(async (userFolder) => {
	const queue = await startQueueMode(userFolder, await variablesIn(userFolder));
	const { url: n8nUrl, rest, logs, stop } = queue;
	return { n8nUrl, userFolder, rest, logs, queue, stop };
});
