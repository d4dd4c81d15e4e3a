import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { triggerUrl } from '../../sandbox/n8n/examples.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import { failureOf, outputOf, type Execution } from '../../sandbox/n8n/types.mts';
import type { Workflow, WorkflowFile } from '../../sandbox/n8n/types.mts';
import { n8nUrl, rest } from '../support/environment.mts';
import { linesOf, office, openBench, runFrom, withNode, withText } from '../support/examples.mts';
import type { Asked } from '../support/examples.mts';
import {
	countExecutions,
	finished,
	newestExecution,
	newestExecutions,
} from '../support/executions.mts';
import { ada, answered, ben, bothAnswer } from '../support/sandboxService.mts';
import { redeliver, stateOf } from '../support/sandboxService.mts';
import { unpublish } from '../support/trigger.mts';
import { until } from '../support/until.mts';

const schedule = 'Every 15 minutes';
const creating = 'Create the collection request';
const finding = 'Find what is open';
const taking = 'Take it, if nobody has it';
const marking = 'Mark it as handled';

const bench = await openBench('missed');
const { front } = bench;

type Change = (file: WorkflowFile) => WorkflowFile;
/** Gives each workflow of the tests its own table, and a schedule that starts nothing. */
const load = (change: Change = (file) => file) =>
	bench.load('nothing-missed', {
		change: (file) => {
			const own = withText(file, 'Open collection requests', `Open ${randomUUID()}`);
			const rule = { interval: [{ field: 'months', monthsInterval: 12 }] };
			return change(withNode(own, schedule, { rule }));
		},
	});
/** Loads it so that the service sends it nothing. */
const loadSilent = (change: Change = (file) => file) =>
	load((file) => change(withNode(file, creating, { notify: 'none' })));
const workflow = await load();

const look = (used = workflow) => runFrom(used, schedule);
const ask = async (used = workflow) =>
	outputOf(await runFrom(used), creating)[0] as unknown as Asked;
const answer = ({ guestLink }: Asked) => bothAnswer(guestLink, 'Of ');
const askTwo = async (used: Workflow): Promise<[Asked, Asked]> => {
	const both: [Asked, Asked] = [await ask(used), await ask(used)];
	for (const asked of both) await answer(asked);
	return both;
};
/** The emails to the office about a collection request. */
const reports = async ({ guestLink }: Asked) =>
	(await bench.mails(office)).filter(({ links }) => links.includes(guestLink));
const reported = async (asked: Asked) =>
	await until('the email to the office', async () => (await reports(asked))[0]);
const assertReported = async (asked: Asked, times = 1) =>
	expect((await reports(asked)).length).toBe(times);
/** The next execution that a notification starts, once it has ended. */
const afterNext = async (work: () => Promise<unknown>) => {
	const count = await countExecutions(workflow.id);
	await work();
	return await newestExecution(workflow.id, count + 1);
};
const redeliverTo = async ({ requestId }: Asked) =>
	await redeliver((await answered(requestId, 'completed')).id, false);
const republish = async () => {
	const stored = await rest.findWorkflow(workflow.id);
	assert.ok(stored);
	await publish(rest, stored);
};
/** A collection request that is completed while n8n refuses its notifications. */
const askAndMiss = async () => {
	const asked = await ask();
	await unpublish(rest, workflow);
	await answer(asked);
	expect((await answered(asked.requestId, 'completed')).statusCode).toBe(404);
	return asked;
};
const idsOf = (execution: Execution, node: string) =>
	outputOf(execution, node).map(({ request_id }) => request_id);

test('a request is on the list before anybody gets its link, and reports to this workflow', async () => {
	const execution = await runFrom(workflow);
	const { requestId, guestLink } = outputOf(execution, creating)[0] ?? {};
	const { webhook } = await stateOf(String(requestId));
	expect(webhook?.url).toBe(triggerUrl(n8nUrl, workflow));
	const rows = outputOf(execution, 'Put it on the list');
	expect(rows.map(({ request_id, handled }) => [request_id, handled])).toStrictEqual([
		[requestId, false],
	]);
	const indexOf = (name: string) =>
		Number(execution.data.resultData.runData[name]?.[0]?.executionIndex);
	expect(indexOf('Put it on the list')).toBeLessThan(indexOf('Email the guest link'));
	for (const { email } of [ada, ben]) {
		expect((await bench.mailTo(email)).links).toStrictEqual([guestLink]);
	}
});

test('a notification that arrives is handled, and neither a second one nor the schedule again', async () => {
	const asked = await ask();
	const execution = await afterNext(() => answer(asked));
	expect(execution.mode).toBe('webhook');
	const mail = await reported(asked);
	expect(mail.subject).toBe('Team day: everybody has answered');
	expect(linesOf(mail).filter((line) => line.startsWith('Delivery'))).toStrictEqual([
		'Delivery address: Of Ada Example',
		'Delivery address (2): Of Ben Example',
	]);
	expect(outputOf(execution, marking)[0]?.handled).toBe(true);

	const second = await afterNext(() => redeliverTo(asked));
	expect(outputOf(second, taking)).toStrictEqual([]);
	const found = idsOf(await look(), finding);
	assert.ok(!found.includes(asked.requestId), 'it is not open any more');
	await assertReported(asked);
});

test('one that n8n has refused is found by the schedule, once', async () => {
	const asked = await askAndMiss();
	await assertReported(asked, 0);
	expect(idsOf(await look(), marking)).toStrictEqual([asked.requestId]);
	await reported(asked);
	await look();
	// Now the notification arrives after all.
	await republish();
	await afterNext(() => redeliverTo(asked));
	await assertReported(asked);
});

test('five notifications of each of four requests and three looks at the same moment: once each', async () => {
	const all: Asked[] = [];
	for (let count = 0; count < 4; count += 1) all.push(await ask());
	await unpublish(rest, workflow);
	for (const asked of all) await answer(asked);
	for (const { requestId } of all) await answered(requestId, 'completed');
	await republish();
	const earlier = await countExecutions(workflow.id);
	const fiveTimes = all.flatMap((asked) => Array.from({ length: 5 }, () => redeliverTo(asked)));
	await Promise.all([...fiveTimes, look(), look(), look()]);
	await newestExecution(workflow.id, earlier + 23);
	const executions = await newestExecutions(workflow.id, 23);
	for (const { status } of executions) expect(status).toBe('success');
	const taken = executions.flatMap((execution) => idsOf(execution, taking));
	expect(taken.sort()).toStrictEqual(all.map(({ requestId }) => requestId).sort());
	expect(await countExecutions(workflow.id)).toBe(earlier + 23);
	for (const asked of all) await assertReported(asked);
});

test('a failed collection request does not stop the others, is reported, and is tried again when its claim expires', async () => {
	// A claim on a collection request lasts only a moment.
	const silent = await loadSilent((file) =>
		withText(file, "$now.plus(15, 'minutes')", "$now.plus(1, 'second')"),
	);
	const [bad, good] = await askTwo(silent);
	const { shareId } = (await stateOf(bad.requestId)).request;
	const refusal = { status: 400, body: { message: 'Not today' } };
	front.decide = ({ url }) => (url.endsWith(`/share/${String(shareId)}`) ? refusal : undefined);
	const failed = await finished(await rest.runManually(silent.id, schedule));
	front.decide = undefined;
	expect(failed.status).toBe('error');
	expect(String(failureOf(failed))).toMatch(/^Not handled.*HTTP 400/);
	expect(idsOf(failed, marking)).toStrictEqual([good.requestId]);
	await assertReported(bad, 0);
	await until('it is handled', async () => {
		await look(silent);
		return (await reports(bad))[0];
	});
	for (const asked of [bad, good]) await assertReported(asked);
});
