import { randomUUID } from 'node:crypto';
import { triggerUrl } from '../../sandbox/n8n/examples.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import { failureOf, outputOf, type Execution } from '../../sandbox/n8n/types.mts';
import type { WorkflowFile } from '../../sandbox/n8n/types.mts';
import { until } from '../../sandbox/shared/until.mts';
import { payload, signed } from '../support/delivery.mts';
import { n8nUrl, rest } from '../support/environment.mts';
import { inOrder, linesOf, office, openBench } from '../support/examples.mts';
import { runFrom, withNode, withText } from '../support/examples.mts';
import { countExecutions, finished } from '../support/executions.mts';
import { newestExecution, newestExecutions } from '../support/executions.mts';
import { ada, ben, bothAnswer } from '../support/people.mts';
import { send } from '../support/send.mts';
import { unpublish } from '../support/trigger.mts';

/** A collection request as output by Create. */
interface Asked {
	requestId: string;
	guestLink: string;
}

const schedule = 'Every 15 minutes';
const creating = 'Create the collection request';
const taking = 'Take it, if nobody has it';
const marking = 'Mark it as handled';

const bench = await openBench('missed');
const { service } = bench;

/** Gives each workflow of the tests its own table, and a schedule that starts nothing. */
const load = (change: (file: WorkflowFile) => WorkflowFile = (file) => file) =>
	bench.load('nothing-missed', (file) => {
		const own = withText(file, 'Open collection requests', `Open ${randomUUID()}`);
		const rule = { interval: [{ field: 'months', monthsInterval: 12 }] };
		return change(withNode(own, schedule, { rule }));
	});
const workflow = await load();

const look = (used = workflow) => runFrom(used, schedule);
const ask = async (used = workflow) =>
	outputOf(await runFrom(used), creating)[0] as unknown as Asked;
const answer = ({ guestLink }: Asked) => bothAnswer(guestLink, 'Of ', service);
/** The emails to the office about a collection request. */
const reports = ({ guestLink }: Asked) =>
	bench.mails(office).filter(({ links }) => links.includes(guestLink));
const reported = async (asked: Asked) =>
	await until('the email to the office', () => reports(asked)[0]);
/** The next execution that a notification starts, once it has ended. */
const afterNext = async (work: () => unknown) => {
	const count = await countExecutions(workflow.id);
	await work();
	return await newestExecution(workflow.id, count + 1);
};
/** Once more, as a sender repeats a notification: with other bytes, which are no duplicate. */
const repeat = async ({ requestId }: Asked) => {
	const again = signed({ secret: bench.secret, body: payload({ requestId, sent: randomUUID() }) });
	expect(await send(triggerUrl(n8nUrl, workflow), again)).toMatch(/^200 /);
};
/** Collection requests that are completed while n8n refuses their notifications. */
const askAndMiss = async (count: number) => {
	const all: Asked[] = [];
	while (all.length < count) all.push(await ask());
	await unpublish(workflow);
	for (const asked of all) {
		answer(asked);
		expect(await service.answered(asked.requestId, 'completed')).toMatch(/^404 /);
	}
	return all;
};
const idsOf = (execution: Execution, node: string) =>
	outputOf(execution, node).map(({ request_id }) => request_id);

/** What becomes of a notification that is late, comes again, or does not come. */
export const missed = inOrder({
	'a request is on the list before anybody gets its link; it is handled once, by its notification or by the schedule':
		async () => {
			const creation = await runFrom(workflow);
			const asked = outputOf(creation, creating)[0] as unknown as Asked;
			const { requestId, guestLink } = asked;
			expect(outputOf(creation, 'Put it on the list')).toMatchObject([
				{ request_id: requestId, handled: false },
			]);
			const indexOf = (name: string) =>
				Number(creation.data.resultData.runData[name]?.[0]?.executionIndex);
			expect(indexOf('Put it on the list')).toBeLessThan(indexOf('Email the guest link'));
			for (const { email } of [ada, ben]) {
				expect((await bench.mailTo(email)).links).toStrictEqual([guestLink]);
			}

			const execution = await afterNext(() => answer(asked));
			expect(execution.mode).toBe('webhook');
			const mail = await reported(asked);
			expect(mail.subject).toBe('Team day: everybody has answered');
			expect(linesOf(mail).filter((line) => line.startsWith('Delivery'))).toStrictEqual([
				'Delivery address: Of Ada Example',
				'Delivery address (2): Of Ben Example',
			]);
			expect(outputOf(execution, marking)[0]?.handled).toBe(true);

			const [refused] = (await askAndMiss(1)) as [Asked];
			expect(reports(refused)).toEqual([]);
			const looked = await look();
			for (const node of ['Find what is open', marking]) {
				expect(idsOf(looked, node)).toStrictEqual([refused.requestId]);
			}
			await reported(refused);

			await publish(rest, workflow);
			expect(outputOf(await afterNext(() => repeat(refused)), taking)).toStrictEqual([]);
			for (const { length } of [reports(asked), reports(refused)]) expect(length).toBe(1);
		},

	'five notifications of each of four requests and three looks at the same moment: once each':
		async () => {
			const all = await askAndMiss(4);
			await publish(rest, workflow);
			const earlier = await countExecutions(workflow.id);
			const fiveTimes = all.flatMap((asked) => Array.from({ length: 5 }, () => repeat(asked)));
			await Promise.all([...fiveTimes, look(), look(), look()]);
			await newestExecution(workflow.id, earlier + 23);
			const executions = await newestExecutions(workflow.id, 23);
			for (const { status } of executions) expect(status).toBe('success');
			const taken = executions.flatMap((execution) => idsOf(execution, taking));
			expect(taken.sort()).toStrictEqual(all.map(({ requestId }) => requestId).sort());
			expect(await countExecutions(workflow.id)).toBe(earlier + 23);
			for (const asked of all) expect(reports(asked)).toHaveLength(1);
		},

	'a failed collection request does not stop the others, is reported, and is tried again when its claim expires':
		async () => {
			const silent = await load((file) =>
				// The service sends nothing, and a claim on a collection request lasts only a moment.
				withText(
					withNode(file, creating, { notify: 'none' }),
					"$now.plus(15, 'minutes')",
					"$now.plus(1, 'second')",
				),
			);
			const [bad, good] = [await ask(silent), await ask(silent)];
			for (const asked of [bad, good]) answer(asked);
			const { shareId } = service.stateOf(bad.requestId).request;
			service.respond = (call) =>
				call.url.endsWith(`/share/${String(shareId)}`)
					? { status: 400, body: { message: 'Not today' } }
					: service.answer(call);
			const failed = await finished(await rest.runManually(silent.id, schedule));
			service.respond = service.answer;
			expect(failed.status).toBe('error');
			expect(String(failureOf(failed))).toMatch(/^Not handled.*HTTP 400/);
			expect(idsOf(failed, marking)).toStrictEqual([good.requestId]);
			expect(reports(bad)).toEqual([]);
			await until('it is handled', async () => {
				await look(silent);
				return reports(bad)[0];
			});
			for (const asked of [bad, good]) expect(reports(asked)).toHaveLength(1);
		},
});
