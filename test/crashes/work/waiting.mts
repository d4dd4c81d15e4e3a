import { setTimeout as sleep } from 'node:timers/promises';
import pMap from 'p-map';
import type { Execution, ExecutionSummary } from '../../../sandbox/n8n/types.mts';
import type { Row } from '../../support/tables.mts';
import { isSwallowed } from '../../../sandbox/testing/sender.mts';
import { completeAndNotify, sandboxAt } from '../../../sandbox/testing/serviceBehindFront.mts';
import type { RequestState } from '../../../sandbox/service/types.mts';
import { nextName, startWaiting } from '../support/waiting.mts';
import { strikeAmid, type Setup, type ChooseVictim } from '../support/setup.mts';

const atOnce = 10;
const retryWithin = 180_000;
const pause = 1_000;

/** A collection request, and whether the notification of its completion got a 2xx. */
interface Completed {
	executionId: string;
	isAnswered: boolean;
	/** The response to the last POST. */
	answer: string;
}

const executionOf = ({ webhook }: RequestState) =>
	/\/webhook-waiting\/(\d+)/.exec(webhook?.url ?? '')?.[1] ?? '';

/**
 * Whether the execution has ended, so that no retry can change anything; false while n8n is away.
 * When n8n starts, it stores each waiting execution as crashed first, and as waiting again a moment
 * later, because it still has its `waitTill`. One that has really crashed was running and has none.
 */
const isOver = async ({ deployment: { rest } }: Setup, executionId: string) => {
	const read = rest.send<ExecutionSummary>('GET', `/rest/executions/${executionId}`);
	const execution = await read.catch(() => undefined);
	if (execution?.status === 'crashed') return execution.waitTill === null;
	return ['success', 'error'].includes(execution?.status ?? '');
};

async function complete(setup: Setup, known: RequestState, onPost: () => void): Promise<Completed> {
	const sandbox = sandboxAt(setup.service.url);
	const executionId = executionOf(known);
	const first = await completeAndNotify(sandbox, known.request._id);
	onPost();
	const deadline = Date.now() + retryWithin;
	let last = first;
	while (last.statusCode !== 200 && Date.now() < deadline) {
		await sleep(pause);
		if (await isOver(setup, executionId)) break;
		last = await sandbox.redeliver(first.id);
		onPost();
	}
	return { executionId, isAnswered: last.statusCode === 200, answer: last.answer };
}

const runsOfNext = (execution: Execution | undefined) =>
	execution?.data.resultData.runData[nextName]?.length ?? 0;

/** What became of a waiting execution; `lost` must never happen. */
function fateOf(completed: Completed[], execution: Execution | undefined) {
	switch (execution?.status) {
		case 'success':
			return runsOfNext(execution) === 0 ? 'lost' : 'resumed';
		case 'crashed':
			return 'crashed';
		case 'new':
		case 'running':
			return 'left running';
		case 'error':
			return 'failed';
		case 'waiting':
			if (!completed.every(({ isAnswered }) => isAnswered)) return 'still waiting';
			return completed.some(({ answer }) => isSwallowed(answer))
				? 'swallowed by a starting n8n'
				: 'lost';
		default:
			return 'lost';
	}
}

function judge(completed: Completed[], executions: Execution[]): Row {
	const byId = new Map(executions.map((execution) => [execution.id, execution]));
	const figures = { resumed: 0, 'still waiting': 0, 'swallowed by a starting n8n': 0 };
	const worse = { crashed: 0, 'left running': 0, failed: 0, lost: 0, 'ran twice': 0 };
	const row = { ...figures, ...worse };
	for (const [id, all] of Map.groupBy(completed, ({ executionId }) => executionId)) {
		const execution = byId.get(id);
		row[fateOf(all, execution)] += 1;
		if (runsOfNext(execution) > 1) row['ran twice'] += 1;
	}
	return row;
}

/**
 * Executions that each wait for `each` collection requests. All of these are completed while a process
 * dies.
 */
export async function waitingOnes(
	setup: Setup,
	chooseVictim: ChooseVictim,
	executions: number,
	each: number,
): Promise<Row> {
	const size = executions * each;
	const { deployment, service } = setup;
	const sandbox = sandboxAt(service.url);
	const target = { ...setup, ...deployment };
	const { workflow, identifier } = await startWaiting(target, executions, each);
	const requests = await sandbox.requests(identifier);
	expect(requests.length).toBe(size);

	const work = (onPost: () => void) =>
		pMap(requests, (known) => complete(setup, known, onPost), { concurrency: atOnce });
	const posts = { workflowId: workflow.id, size };
	const { result, executions: found, end } = await strikeAmid(setup, chooseVictim, posts, work);
	return { waits: executions, each, ...judge(result, found), ...end };
}
