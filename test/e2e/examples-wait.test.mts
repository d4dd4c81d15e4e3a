import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { failureOf, outputOf, type ExecutionSummary } from '../../sandbox/n8n/types.mts';
import { serviceUrl } from './support/environment.mts';
import { finished } from './support/executions.mts';
import { linesOf, openBench, withNode, type ExampleBench } from './support/examples.mts';
import { openFront, type Front } from './support/front.mts';
import { fillInForm, stateOf, type RequestState } from './support/sandboxService.mts';
import { until } from './support/until.mts';

const waiting = 'Create the request and wait for it';
const ada = { name: 'Ada Example', email: 'ada@example.com' };
const ben = { name: 'Ben Example', email: 'ben@example.com' };
const title = 'New office: delivery addresses';
const reminder = `Reminder: please fill in the form "${title}"`;
const thanks = `Thank you: "${title}" is complete`;

/** n8n looks for waits that are over only once a minute. */
const waitTracker = 100_000;

void describe('the example create-and-wait-reminder', () => {
	let bench: ExampleBench;
	let front: Front;
	before(async () => {
		front = await openFront();
		bench = await openBench('wait', { productionBaseUrl: front.url });
	});
	after(async () => {
		await front.close();
		await bench.close();
	});

	/** Starts the example; without a limit of its own it has the two minutes of the file. */
	const start = async (limit: Record<string, unknown> = {}) => {
		const { id } = await bench.load('create-and-wait-reminder', {
			change: (workflow) => withNode(workflow, waiting, limit),
		});
		return await bench.rest.runManually(id, 'When you press the button');
	};
	const seconds = { resumeAmount: 2, resumeUnit: 'seconds' };
	const statusOf = async (id: string) =>
		(await bench.rest.send<ExecutionSummary>('GET', `/rest/executions/${id}`)).status;
	/** The request of an execution that is stored as waiting. */
	const waitingRequest = async (executionId: string): Promise<RequestState> => {
		await until('the execution waits', async () => {
			const status = await statusOf(executionId);
			if (status === 'error') assert.fail(failureOf(await bench.rest.getExecution(executionId)));
			return status === 'waiting' ? true : undefined;
		});
		const all = (await (await fetch(`${serviceUrl}/sandbox/requests`)).json()) as RequestState[];
		const resumes = (url = '') => url.includes(`/webhook-waiting/${executionId}`);
		const found = all.find(({ webhook }) => resumes(webhook?.url));
		assert.ok(found);
		return found;
	};
	const subjectsTo = async (email: string) =>
		(await bench.mails(email)).map(({ subject }) => subject);

	test('the file waits for two minutes at most, for both people', async () => {
		const started = Date.now();
		const executionId = await start();
		const { request } = await waitingRequest(executionId);
		assert.equal(request.minimumParticipants, 2);
		const stored = await bench.rest.send<{ waitTill: string }>(
			'GET',
			`/rest/executions/${executionId}`,
		);
		const limit = new Date(stored.waitTill).getTime() - started;
		assert.ok(limit >= 119_000 && limit < 150_000, `${limit} ms`);
		await bench.rest.send('POST', `/rest/executions/${executionId}/stop`);
	});

	test('answered in time: both get a thank-you, and nobody else', async () => {
		const executionId = await start();
		const { guestLink } = await waitingRequest(executionId);
		for (const person of [ada, ben]) await fillInForm(guestLink, person, person.name);
		const execution = await finished(bench.rest, executionId);
		assert.equal(execution.status, 'success', failureOf(execution));
		assert.equal((await bench.mails()).length, 2);
		for (const { name, email } of [ada, ben]) {
			const [mail] = await bench.mailsTo(email);
			assert.ok(mail);
			assert.deepEqual(mail.to, [email]);
			assert.equal(mail.subject, thanks);
			assert.deepEqual(linesOf(mail), [
				`Hello ${name},`,
				`thank you for filling in the form "${title}". Everybody has answered, so it is complete now, and there is nothing more for you to do.`,
				'Mara Example',
			]);
		}
		assert.equal(outputOf(execution, 'Read who took part')[0]?.status, 'completed');
		assert.equal(execution.data.resultData.runData['Email a reminder'], undefined);
	});

	test('the time runs out: everybody invited gets a reminder with the guest link', async () => {
		const executionId = await start(seconds);
		const { guestLink, request } = await waitingRequest(executionId);
		await fillInForm(guestLink, ada, 'Ada has answered, Ben has not');
		const execution = await finished(bench.rest, executionId, waitTracker);
		assert.equal(execution.status, 'success', failureOf(execution));
		const [item] = outputOf(execution, waiting);
		assert.equal(item?.timedOut, true);
		for (const { name, email } of [ada, ben]) {
			assert.deepEqual(await subjectsTo(email), [thanks, reminder]);
			const mail = (await bench.mails(email)).at(-1);
			assert.ok(mail);
			assert.deepEqual(mail.links, [guestLink]);
			assert.deepEqual(linesOf(mail), [
				`Hello ${name},`,
				`the form "${title}" is not complete yet: somebody has still to answer.`,
				'If it is you, please open this link and answer the questions. If it asks who you are, use this email address.',
				guestLink,
				'If you have answered already, there is nothing more to do. Thank you!',
				'Mara Example',
			]);
		}
		assert.equal(execution.data.resultData.runData['Email a thank-you'], undefined);
		await fillInForm(guestLink, ben, 'The link of the reminder works');
		assert.equal((await stateOf(request._id)).share?.status, 'completed');
	});

	test('completed, but the notification was lost: after the limit a thank-you, no reminder', async (context) => {
		let answered = 0;
		front.before = async ({ method }, { body }) => {
			if (method !== 'GET' || answered > 0) return;
			// n8n takes a notification only after it has stored the execution as waiting.
			const requestId = String(body._id);
			const link = `${serviceUrl}/request/${requestId}`;
			for (const person of [ada, ben]) await fillInForm(link, person, person.name);
			answered = await until('the notification has its answer', async () => {
				const { deliveries } = await stateOf(requestId);
				const sent = deliveries.find(({ shareStatus }) => shareStatus === 'completed');
				return sent?.statusCode ?? undefined;
			});
		};
		const executionId = await start(seconds);
		await waitingRequest(executionId);
		front.before = undefined;
		context.diagnostic(`n8n answered the notification ${answered}`);
		assert.notEqual(answered, 200);
		const execution = await finished(bench.rest, executionId, waitTracker);
		assert.equal(execution.status, 'success', failureOf(execution));
		assert.equal(outputOf(execution, waiting)[0]?.timedOut, true);
		for (const { email } of [ada, ben]) {
			assert.deepEqual(await subjectsTo(email), [thanks, reminder, thanks]);
		}
	});
});
