import { setTimeout as sleep } from 'node:timers/promises';
import pMap from 'p-map';
import { rest } from '../support/environment.mts';
import { allExecutions } from '../support/executions.mts';
import { during, queue, type Victim } from '../support/queue.mts';
import { answered, complete, redeliver } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';
import { createWaiting, nextName, type Wait } from '../support/waiting.mts';

const size = 20;

/** Whether the execution has ended; false while n8n is away. */
const isOver = ({ status }: Wait) =>
	status().then(
		(now) => ['success', 'error', 'crashed'].includes(now),
		() => false,
	);

/**
 * Completes a collection request, and repeats its notification until the execution has ended. Gives
 * up after a minute: what a store has lost never ends.
 */
async function end(wait: Wait, onPost: () => void): Promise<void> {
	const deadline = Date.now() + 60_000;
	await complete(wait.requestId);
	const { id } = await answered(wait.requestId, 'completed');
	for (onPost(); Date.now() < deadline && !(await isOver(wait)); onPost()) {
		await sleep(1_000);
		await redeliver(id, true);
	}
}

/** Kills while executions are being continued; resolves to how often the next node of each ran. */
async function killAmid(name: string, victim: Victim) {
	const created = await createWaiting({ name: `Crashes: ${name}` });
	const waits: Wait[] = [];
	while (waits.length < size) waits.push((await created.requests(await created.start())).at(-1)!);
	let posts = 0;
	const ending = pMap(waits, (wait) => end(wait, () => void (posts += 1)), { concurrency: 10 });
	await until('a third of the POSTs', () => posts > size / 3);
	await victim.kill();
	await during(ending);
	const found = await allExecutions(
		String((await rest.getExecution(waits[0]!.executionId)).workflowId),
	);
	return found.map(({ status, data }) => [status, data.resultData.runData[nextName]?.length ?? 0]);
}

test('main dies while executions are continued: each goes on once', async () => {
	const ends = await killAmid('main', queue.main);
	expect(ends).toStrictEqual(Array.from({ length: size }, () => ['success', 1]));
});

test('PostgreSQL dies while executions are continued: what goes on does so once', async () => {
	const ends = await killAmid('PostgreSQL', queue.postgres);
	const isOnce = ([status, runs]: (typeof ends)[number]) => status === 'success' && runs === 1;
	// n8n loses what it could not store: such an execution never ends, or not well.
	const isLost = ([status]: (typeof ends)[number]) => status !== 'success';
	expect(ends.filter((one) => !isOnce(one) && !isLost(one))).toStrictEqual([]);
	expect(ends.filter(isOnce).length).toBeGreaterThan(size / 2);
});
