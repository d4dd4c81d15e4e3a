import { Failure } from '../shared/failure.mts';
import { poll } from '../shared/poll.mts';
import type { N8nRest } from './rest.mts';
import { failureOf, type Execution, type ExecutionSummary } from './types.mts';

const ended = ['success', 'error', 'crashed', 'canceled'];

/** Waits for the execution to end; throws a Failure with n8n's message if it did not succeed. */
export async function executionSucceeded(
	rest: N8nRest,
	id: string,
	{ within = 30_000, pause = 200 } = {},
): Promise<Execution> {
	const list = '/rest/executions?limit=100';
	const execution = await poll({
		expected: `execution ${id} to end`,
		within,
		pause,
		read: async () => {
			const { results } = await rest.send<{ results: ExecutionSummary[] }>('GET', list);
			const hasEnded = results.some((one) => one.id === id && ended.includes(one.status));
			return hasEnded ? await rest.getExecution(id) : undefined;
		},
	});
	if (execution.status === 'success') return execution;
	const reason = failureOf(execution) ?? execution.status;
	throw new Failure(`Expected execution ${id} to succeed, but: ${reason}`);
}
