import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { triggerUrl } from '../../sandbox/n8n/examples.mts';
import { publish, settled } from '../../sandbox/n8n/publish.mts';
import { failureOf, outputOf, type Execution, type Json } from '../../sandbox/n8n/types.mts';
import type { Workflow, WorkflowFile } from '../../sandbox/n8n/types.mts';
import { n8nUrl } from '../support/environment.mts';
import { countExecutions, finished, newestExecutions } from '../support/executions.mts';
import { linesOf, openBench, withNode, type ExampleBench } from '../support/examples.mts';
import { openFront, type Front, type FrontCall } from '../support/front.mts';
import { fillInForm, redeliver, stateOf } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';

const ada = { name: 'Ada Example', email: 'ada@example.com' };
const ben = { name: 'Ben Example', email: 'ben@example.com' };
const office = 'office@example.com';

const button = 'When you press the button';
const schedule = 'Every 15 minutes';
const creating = 'Create the collection request';
const finding = 'Find what is open';
const taking = 'Take it, if nobody has it';
const marking = 'Mark it as handled';

const table = 'Open collection requests';
const lease = "$now.plus(15, 'minutes')";

interface Asked {
	requestId: string;
	guestLink: string;
}

/** A table of its own for each workflow of the tests, and a schedule that starts nothing. */
function ownTable(file: WorkflowFile): WorkflowFile {
	const text = JSON.stringify(file);
	assert.ok(text.includes(table) && text.includes(lease));
	const changed = JSON.parse(text.replaceAll(table, `Open ${randomUUID()}`)) as WorkflowFile;
	return withNode(changed, schedule, every({ field: 'months', monthsInterval: 12 }));
}
const every = (interval: Json): Json => ({ rule: { interval: [interval] } });

/** Who has taken a request has it for a moment only. */
const shortLease = (file: WorkflowFile) =>
	JSON.parse(
		JSON.stringify(ownTable(file)).replace(lease, "$now.plus(1, 'second')"),
	) as WorkflowFile;

describe('the example nothing-missed', () => {
	let bench: ExampleBench;
	let front: Front;
	let workflow: Workflow;
	const load = (change = ownTable) =>
		bench.load('nothing-missed', { change, webhookUrl: (own) => triggerUrl(n8nUrl, own) });
	beforeAll(async () => {
		front = await openFront();
		bench = await openBench('missed', { productionBaseUrl: front.url });
		workflow = await load();
	});
	afterAll(async () => {
		await front.close();
		await bench.close();
	});

	/** Executes it from one of its starts, to the end. */
	const run = async (start: string, { id } = workflow): Promise<Execution> =>
		await finished(bench.rest, await bench.rest.runManually(id, start));
	const ask = async (used = workflow): Promise<Asked> => {
		const execution = await run(button, used);
		assert.equal(execution.status, 'success', failureOf(execution));
		return outputOf(execution, creating)[0] as unknown as Asked;
	};
	const look = async (used = workflow): Promise<Execution> => {
		const execution = await run(schedule, used);
		assert.equal(execution.status, 'success', failureOf(execution));
		return execution;
	};
	const bothAnswer = async ({ guestLink }: Asked) => {
		for (const person of [ada, ben]) await fillInForm(guestLink, person, `Of ${person.name}`);
	};
	/** The emails to the office about a request. */
	const reports = async ({ guestLink }: Asked) =>
		(await bench.mails(office)).filter(({ links }) => links.includes(guestLink));
	const reported = async (asked: Asked) =>
		await until('the email to the office', async () => (await reports(asked))[0]);
	/** The next execution that a notification has started, to its end. */
	const afterNext = async (work: () => Promise<unknown>, used = workflow) => {
		const count = await countExecutions(bench.rest, used.id);
		await work();
		await until('the next execution', async () =>
			(await countExecutions(bench.rest, used.id)) > count ? true : undefined,
		);
		const [execution] = await newestExecutions(bench.rest, used.id, 1);
		assert.ok(execution);
		return execution;
	};
	const completedDelivery = async ({ requestId }: Asked) => {
		const sent = (found: Awaited<ReturnType<typeof stateOf>>) =>
			found.deliveries.find(({ shareStatus }) => shareStatus === 'completed');
		return await until('the delivery has ended', async () => {
			const delivery = sent(await stateOf(requestId));
			return delivery?.statusCode ? delivery : undefined;
		});
	};
	const unpublish = async (used = workflow) => {
		await bench.rest.deactivate(used.id);
		await settled(bench.rest, used);
	};
	const republish = async (used = workflow) => {
		const stored = await bench.rest.findWorkflow(used.id);
		assert.ok(stored);
		await publish(bench.rest, stored);
	};
	/** A request that is completed while n8n refuses its notifications. */
	const askAndMiss = async (used = workflow) => {
		const asked = await ask(used);
		await unpublish(used);
		await bothAnswer(asked);
		assert.equal((await completedDelivery(asked)).statusCode, 404);
		return asked;
	};

	test('a request is on the list before anybody gets its link, and reports to this workflow', async () => {
		const execution = await run(button);
		assert.equal(execution.status, 'success', failureOf(execution));
		const { requestId, guestLink } = outputOf(execution, creating)[0] ?? {};
		const { webhook } = await stateOf(String(requestId));
		assert.equal(webhook?.url, triggerUrl(n8nUrl, workflow));
		const { runData } = execution.data.resultData;
		const [listed, ...more] = outputOf(execution, 'Put it on the list');
		assert.equal(more.length, 0, 'one row for a request with two people');
		assert.equal(listed?.request_id, requestId);
		assert.equal(listed?.handled, false);
		const indexOf = (name: string) => Number(runData[name]?.[0]?.executionIndex);
		assert.ok(indexOf('Put it on the list') < indexOf('Email the guest link'));
		for (const { email } of [ada, ben]) {
			const [mail] = await bench.mailsTo(email);
			assert.deepEqual(mail?.links, [guestLink]);
		}
	});

	test('a notification that arrives is handled, and neither a second one nor the schedule again', async () => {
		const asked = await ask();
		const execution = await afterNext(() => bothAnswer(asked));
		assert.equal(execution.mode, 'webhook');
		const mail = await reported(asked);
		assert.equal(mail.subject, 'Team day: everybody has answered');
		assert.deepEqual(
			linesOf(mail).filter((line) => line.startsWith('Delivery')),
			['Delivery address: Of Ada Example', 'Delivery address (2): Of Ben Example'],
		);
		assert.equal(outputOf(execution, marking)[0]?.handled, true);

		const { id } = await completedDelivery(asked);
		const second = await afterNext(() => redeliver(id, false));
		assert.deepEqual(outputOf(second, taking), []);
		const found = outputOf(await look(), finding).map(({ request_id }) => request_id);
		assert.ok(!found.includes(asked.requestId), 'it is not open any more');
		assert.equal((await reports(asked)).length, 1);
	});

	test('one that n8n has refused is found by the schedule, once', async () => {
		const asked = await askAndMiss();
		assert.deepEqual(await reports(asked), []);
		assert.equal(outputOf(await look(), marking)[0]?.request_id, asked.requestId);
		await reported(asked);
		await look();
		// It comes after all.
		await republish();
		const { id } = await completedDelivery(asked);
		const late = await afterNext(() => redeliver(id, false));
		assert.equal(late.status, 'success', failureOf(late));
		assert.equal((await reports(asked)).length, 1);
	});

	test('one that the service has never sent is found by the schedule as well', async () => {
		const silent = await load((file) => withNode(ownTable(file), creating, { notify: 'none' }));
		const asked = await ask(silent);
		await look(silent);
		assert.deepEqual(await reports(asked), [], 'nobody has answered yet');
		await bothAnswer(asked);
		const { deliveries } = await stateOf(asked.requestId);
		assert.deepEqual(deliveries, []);
		await look(silent);
		assert.equal((await reports(asked)).length, 1);
	});

	test('published, the schedule runs by itself', async () => {
		const quick = await load((file) => {
			const silent = withNode(ownTable(file), creating, { notify: 'none' });
			return withNode(silent, schedule, every({ field: 'seconds', secondsInterval: 1 }));
		});
		const asked = await ask(quick);
		await bothAnswer(asked);
		await reported(asked);
		const count = await countExecutions(bench.rest, quick.id);
		await until('two more looks', async () =>
			(await countExecutions(bench.rest, quick.id)) > count + 2 ? true : undefined,
		);
		await unpublish(quick);
		assert.equal((await reports(asked)).length, 1);
	});

	/** Holds the first read that `isMeant` until it is released. */
	const holdFirst = (isMeant: (call: FrontCall) => boolean) => {
		const held = Promise.withResolvers<undefined>();
		const released = Promise.withResolvers<undefined>();
		let isHeld = false;
		front.before = async (call) => {
			if (isHeld || !isMeant(call)) return;
			isHeld = true;
			held.resolve(undefined);
			await released.promise;
		};
		return { held: held.promise, release: () => released.resolve(undefined) };
	};

	test('a notification between the look and the taking is handled, and the look takes nothing', async () => {
		const asked = await askAndMiss();
		await republish();
		const { held, release } = holdFirst(({ url }) => url.endsWith(asked.requestId));
		const looking = look();
		await held;
		const { id } = await completedDelivery(asked);
		await redeliver(id, false);
		await reported(asked);
		release();
		const { runData } = (await looking).data.resultData;
		assert.equal(runData['Keep what is completed']?.[0]?.data?.main?.[0]?.length, 1);
		assert.deepEqual(outputOf(await looking, taking), []);
		assert.equal((await reports(asked)).length, 1);
	});

	test('a look while a notification is being handled takes nothing', async () => {
		const asked = await ask();
		const { held, release } = holdFirst(({ url }) => url.includes('/share/'));
		await bothAnswer(asked);
		await held;
		const found = outputOf(await look(), finding).map(({ request_id }) => request_id);
		assert.ok(!found.includes(asked.requestId), 'it is taken');
		release();
		await reported(asked);
		assert.equal((await reports(asked)).length, 1);
	});

	test('five notifications of each of four requests and three looks at the same moment: once each', async () => {
		const all: Asked[] = [];
		for (let count = 0; count < 4; count += 1) all.push(await ask());
		await unpublish();
		for (const asked of all) await bothAnswer(asked);
		const ids = await Promise.all(all.map(async (asked) => (await completedDelivery(asked)).id));
		await republish();
		const earlier = await countExecutions(bench.rest, workflow.id);
		const fiveTimes = ids.flatMap((id) => Array.from({ length: 5 }, () => redeliver(id, false)));
		const started = await Promise.all([...fiveTimes, run(schedule), run(schedule), run(schedule)]);
		assert.equal(started.length, 23);
		await until('all executions', async () =>
			(await countExecutions(bench.rest, workflow.id)) === earlier + 23 ? true : undefined,
		);
		const executions = await newestExecutions(bench.rest, workflow.id, 23);
		for (const execution of executions) {
			assert.equal(execution.status, 'success', failureOf(execution));
		}
		const taken = executions.flatMap((one) =>
			outputOf(one, taking).map(({ request_id }) => request_id),
		);
		assert.deepEqual(taken.sort(), all.map(({ requestId }) => requestId).sort());
		for (const asked of all) assert.equal((await reports(asked)).length, 1);
	});

	test('what fails stops no other, says so, and has its turn again when its time is over', async () => {
		const silent = await load((file) => withNode(shortLease(file), creating, { notify: 'none' }));
		const [bad, good] = [await ask(silent), await ask(silent)];
		for (const asked of [bad, good]) await bothAnswer(asked);
		const { shareId } = (await stateOf(bad.requestId)).request;
		const refusal = { status: 400, body: { message: 'Not today' } };
		front.decide = ({ url }) => (url.endsWith(`/share/${String(shareId)}`) ? refusal : undefined);
		const failed = await run(schedule, silent);
		front.decide = undefined;
		assert.equal(failed.status, 'error');
		assert.match(String(failureOf(failed)), /^Not handled.*HTTP 400/);
		assert.deepEqual(
			outputOf(failed, marking).map(({ request_id }) => request_id),
			[good.requestId],
		);
		assert.deepEqual(await reports(bad), []);
		await until('it is handled', async () => {
			await look(silent);
			return (await reports(bad))[0];
		});
		for (const asked of [bad, good]) assert.equal((await reports(asked)).length, 1);
	});

	test('a request that cannot be read stops no other, and stays on the list', async () => {
		const silent = await load((file) => withNode(ownTable(file), creating, { notify: 'none' }));
		const [bad, good] = [await ask(silent), await ask(silent)];
		for (const asked of [bad, good]) await bothAnswer(asked);
		const gone = { status: 404, body: { message: 'Gone' } };
		front.decide = ({ url }) => (url.endsWith(bad.requestId) ? gone : undefined);
		await look(silent);
		front.decide = undefined;
		assert.equal((await reports(good)).length, 1);
		assert.deepEqual(await reports(bad), []);
		await look(silent);
		for (const asked of [bad, good]) assert.equal((await reports(asked)).length, 1);
	});
});
