import { outputOf } from '../../sandbox/n8n/types.mts';
import { bothAnswer } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';
import { createWaiting, waitingName, type Wait } from '../support/waiting.mts';
import { startedBy, toAll } from './support/parts.mts';

/** One worker and one webhook process keep running. */
const crashed = ['main', 'worker-1', 'webhook-1'];

const startWaiting = async (name: string) =>
	await (await createWaiting({ name: `Queue waiting: ${name}` })).startWaiting();
const everybodySubmits = async (wait: Wait) => {
	await bothAnswer(wait.guestLink);
	// The one before it may have ended the wait already.
	await wait.answered('completed');
};
const resumedOnce = async (wait: Wait) => {
	const [{ requestId, shareStatus } = {}] = outputOf(await wait.endsOnce(), waitingName);
	expect([requestId, shareStatus]).toStrictEqual([wait.requestId, 'completed']);
};

test('Wait over a crash of main, a worker and a webhook process: those that are left resume it, and after the restart all do', async () => {
	const during = await startWaiting('during');
	const after = await startWaiting('after');
	await toAll('kill', crashed);
	await everybodySubmits(during);
	const isRun = async () => (await startedBy(during.executionId)).includes('worker-2');
	await until('worker 2 runs it', isRun);

	await toAll('start', crashed);
	await resumedOnce(during);
	expect(await after.status()).toBe('waiting');
	await everybodySubmits(after);
	await resumedOnce(after);
});
