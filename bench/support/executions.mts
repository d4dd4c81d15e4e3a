import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Failure } from '../../sandbox/shared/failure.mts';
import { poll } from '../../sandbox/shared/poll.mts';

interface Stored {
	count: number;
	/** When the last one ended, in milliseconds since 1970; 0 when there is none. */
	last: number;
}

/** n8n's executions, read beside n8n: asking n8n itself would cost the time that is measured. */
export function openExecutions(userFolder: string) {
	const file = path.join(userFolder, '.n8n', 'database.sqlite');
	const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
	const ended = database.prepare(
		"SELECT count(*) AS count, max(stoppedAt) AS last FROM execution_entity WHERE workflowId = ? AND status = 'success'",
	);
	const all = database.prepare(
		'SELECT count(*) AS count FROM execution_entity WHERE workflowId = ?',
	);
	const stored = (workflowId: string): Stored => {
		const { count, last } = ended.get(workflowId) as { count: number; last: string | null };
		return { count, last: last === null ? 0 : Date.parse(`${last.replace(' ', 'T')}Z`) };
	};
	return {
		/** Executions of a workflow, of whatever status. */
		count: (workflowId: string) => (all.get(workflowId) as { count: number }).count,
		/** Waits until that many have succeeded; answers when the last one ended. */
		async succeeded(workflowId: string, expected: number): Promise<number> {
			const { count, last } = await poll({
				expected: `${expected} executions to succeed`,
				within: 300_000,
				pause: 100,
				read: () => {
					const now = stored(workflowId);
					return Promise.resolve(now.count >= expected ? now : undefined);
				},
				describe: () => Promise.resolve(`${stored(workflowId).count} have.`),
			});
			if (count === expected) return last;
			throw new Failure(`${count} executions in place of ${expected}`);
		},
	};
}

export type Executions = ReturnType<typeof openExecutions>;
