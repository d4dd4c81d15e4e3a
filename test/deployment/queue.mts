import { readFile } from 'node:fs/promises';
import { startQueueMode, type Part } from '../../sandbox/queue/queueMode.mts';
import { until } from '../support/until.mts';
import type { Deployment } from './deployment.mts';
import { memberOf } from './member.mts';
import type { DeploymentOptions } from './start.mts';

/** The worker that has taken an execution, as its log says. */
async function workerOf(workers: Part[], executionId: string): Promise<string> {
	const taken = new RegExp(`execution ${executionId}\\b`);
	return await until(`a worker takes execution ${executionId}`, async () => {
		for (const { name, logFile } of workers) {
			if (taken.test(await readFile(logFile, 'utf8'))) return name;
		}
		return undefined;
	});
}

/** n8n in queue mode: main, two workers and two webhook processes, with Redis and PostgreSQL. */
export async function startQueue(options: DeploymentOptions): Promise<Deployment> {
	const { folder: userFolder, env, log } = options;
	const queue = await startQueueMode({ userFolder, env, log });
	const { url, rest, redis, postgres, main, workers, webhooks } = queue;
	const first: Record<string, Part | undefined> = { webhook: webhooks[0], worker: workers[0] };
	return {
		...{ mode: 'queue', url, rest, folder: userFolder },
		members: [redis, postgres, main, ...workers, ...webhooks].map(memberOf),
		choose: async (kind, executionId) =>
			kind === 'worker' && executionId !== undefined
				? await workerOf(workers, executionId)
				: (first[kind]?.name ?? kind),
		stop: () => queue.stop(),
	};
}
