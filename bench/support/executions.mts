import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Failure } from '../../sandbox/shared/failure.mts';
import { poll } from '../../sandbox/shared/poll.mts';

/** n8n's executions, read beside n8n: asking n8n itself would cost the time that is measured. */
export function openExecutions(userFolder: string) {
	const file = path.join(userFolder, '.n8n', 'database.sqlite');
	const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
	const counting = (condition: string) => {
		const query = `SELECT count(*) AS count FROM execution_entity WHERE workflowId = ?${condition}`;
		const statement = database.prepare(query);
		return (workflowId: string) => (statement.get(workflowId) as { count: number }).count;
	};
	const all = counting('');
	const succeeded = counting(" AND status = 'success'");
	return {
		/** Executions of a workflow, of whatever status. */
		count: all,
		/** Waits until that many have succeeded, and no more; answers when that was seen. */
		async succeeded(workflowId: string, expected: number): Promise<number> {
			const [count, at] = await poll({
				expected: `${expected} executions to succeed`,
				within: 300_000,
				pause: 20,
				read: () => {
					const now = succeeded(workflowId);
					return Promise.resolve(now >= expected ? ([now, Date.now()] as const) : undefined);
				},
				describe: () => Promise.resolve(`${succeeded(workflowId)} have.`),
			});
			if (count === expected) return at;
			throw new Failure(`${count} executions in place of ${expected}`);
		},
	};
}

export type Executions = ReturnType<typeof openExecutions>;
