import assert from 'node:assert/strict';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { n8nUrl, openRest } from '../support/environment.mts';
import { countExecutions } from '../support/executions.mts';
import { fillInForm } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';
import { createWaiting, runsOfNext, twoPeople, waitingName } from '../support/waiting.mts';
import type { Wait, WaitingWorkflow } from '../support/waiting.mts';
import { startedBy, toAll } from './support/parts.mts';

/** One of each kind stays. */
const crashed = ['main', 'worker-1', 'webhook-1'];

describe('Wait over a crash of main, a worker and a webhook process', () => {
	const rest = openRest();
	const create = async (name: string): Promise<[WaitingWorkflow, Wait]> => {
		const created = await createWaiting({ rest, n8nUrl, name: `Queue waiting: ${name}` });
		return [created, await created.startWaiting()];
	};
	const everybodySubmits = async (wait: Wait) => {
		for (const person of twoPeople) await fillInForm(wait.guestLink, person, 'Seestrasse 2');
		return await wait.answered('completed');
	};
	const resumedOnce = async ([{ workflow }, wait]: [WaitingWorkflow, Wait]) => {
		const execution = await wait.end();
		assert.equal(execution.status, 'success');
		const [item = {}] = outputOf(execution, waitingName);
		assert.equal(item.requestId, wait.requestId);
		assert.equal(item.shareStatus, 'completed');
		assert.equal(runsOfNext(execution), 1);
		assert.equal(await countExecutions(rest, workflow.id), 1);
	};

	test('those that are left resume a wait, and after the restart all do', async () => {
		const during = await create('during');
		const after = await create('after');
		await toAll('kill', crashed);
		const answer = await everybodySubmits(during[1]);
		assert.deepEqual([answer.statusCode, answer.answer], [200, '{"status":"accepted"}']);
		const { executionId } = during[1];
		await until('worker 2 runs it', async () =>
			(await startedBy(executionId)).includes('worker-2') ? true : undefined,
		);

		await toAll('start', crashed);
		await resumedOnce(during);
		assert.equal(await after[1].status(), 'waiting');
		assert.equal((await everybodySubmits(after[1])).answer, '{"status":"accepted"}');
		await resumedOnce(after);
	});
});
