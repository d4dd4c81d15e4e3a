import type { N8nRest } from '../n8n/rest.mts';
import { failureOf, type Execution } from '../n8n/types.mts';
import { Failure } from './failure.mts';
import { poll, type Poll } from './poll.mts';

const ended = ['success', 'error', 'crashed', 'canceled'];

/** The execution once it has ended; a Failure with n8n's words when it did not succeed. */
export async function executionSucceeded(
	rest: N8nRest,
	id: string,
	{ within = 30_000, pause }: Partial<Pick<Poll<unknown>, 'within' | 'pause'>> = {},
): Promise<Execution> {
	const execution = await poll({
		expected: `execution ${id} to end`,
		within,
		pause,
		read: async () => {
			const { results } = await rest.send<{ results: Array<{ id: string; status: string }> }>(
				'GET',
				'/rest/executions?limit=100',
			);
			const summary = results.find((result) => result.id === id);
			if (summary === undefined || !ended.includes(summary.status)) return undefined;
			return await rest.getExecution(id);
		},
	});
	if (execution.status === 'success') return execution;
	const reason = failureOf(execution) ?? execution.status;
	throw new Failure(`Expected execution ${id} to succeed, but: ${reason}`);
}

/** The workflow's executions once there is at least one. */
export async function firstExecutionOf(rest: N8nRest, workflowId: string, within = 30_000) {
	return await poll({
		expected: `an execution of workflow ${workflowId}`,
		within,
		read: async () => (await rest.listExecutions(workflowId)).at(-1),
		describe: () => Promise.resolve('nothing has started it.'),
	});
}
