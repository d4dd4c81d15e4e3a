import assert from 'node:assert/strict';
import { outputOf, type WorkflowFile } from '../../sandbox/n8n/types.mts';
import { concurrently } from '../support/concurrently.mts';
import { addressesOf, join, limitOf, requestIdOf, shortLimit } from '../support/exampleRuns.mts';
import { startExample, statusOf, waitTracker, type ExampleRun } from '../support/exampleRuns.mts';
import { linesOf, withNode } from '../support/examples.mts';
import { fillInForm, forge, stateOf } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';

const ada = { name: 'Ada Example', email: 'ada@example.com' };
const ben = { name: 'Ben Example', email: 'ben@example.com' };
const office = 'office@example.com';
const invitation = 'New office: please enter your delivery address';
const reminder = 'Reminder: please enter your delivery address';

const waiting = 'Wait for everybody';
const decision = 'What now?';
const collecting = 'Collect the answers';

/** The waits end once a minute, so all of them go on at the same time. */
describe('the example invite-remind-collect', () => {
	const test = concurrently();
	const runs: ExampleRun[] = [];
	afterAll(async () => {
		for (const run of runs) await run.close();
	});
	const start = async (name: string, change?: (file: WorkflowFile) => WorkflowFile) => {
		const run = await startExample('invite-remind-collect', `invite-${name}`, change);
		runs.push(run);
		return run;
	};
	const withShortLimit = (file: WorkflowFile) => withNode(file, waiting, shortLimit);
	const withoutReminders = (file: WorkflowFile) => {
		const text = JSON.stringify(withShortLimit(file));
		assert.ok(text.includes('$runIndex < 3'));
		return JSON.parse(text.replace('$runIndex < 3', '$runIndex < 0')) as WorkflowFile;
	};

	test('both are invited, and the answers of both are collected', async () => {
		const run = await start('file');
		await run.waits();
		const guestLink = await run.linkOf(ada.email);
		for (const { name, email } of [ada, ben]) {
			const [mail, ...more] = await run.bench.mailsTo(email);
			assert.ok(mail);
			assert.equal(more.length, 0);
			assert.deepEqual(mail.to, [email]);
			assert.equal(mail.subject, invitation);
			assert.deepEqual(mail.links, [guestLink]);
			assert.equal(linesOf(mail)[0], `Hello ${name},`);
		}
		const requestId = requestIdOf(guestLink);
		const { webhook, request } = await stateOf(requestId);
		assert.ok(webhook?.url.includes(`/webhook-waiting/${run.executionId}/data-collection`));
		assert.equal(request.minimumParticipants, 2);
		const left = await limitOf(run);
		assert.ok(left > 60_000 && left <= 120_000, `${left} ms`);

		// Neither the first of two nor a forgery ends the wait, the second does.
		await fillInForm(guestLink, ada, 'Address of Ada');
		await forge(requestId);
		assert.equal(await statusOf(run.bench.rest, run.executionId), 'waiting');
		await fillInForm(guestLink, ben, 'Address of Ben');
		const execution = await run.ended();
		const [item, ...others] = outputOf(execution, waiting);
		assert.equal(others.length, 0, 'one item for one request');
		assert.equal(item?.timedOut, false);
		assert.equal(item.shareStatus, 'completed');
		assert.deepEqual(addressesOf(execution, collecting), ['Address of Ada', 'Address of Ben']);
		assert.equal((await run.bench.mails()).length, 2);
	});

	test('who has not joined is reminded, and the next round collects the answers', async () => {
		const run = await start('remind', withShortLimit);
		await run.waits();
		const guestLink = await run.linkOf(ada.email);
		await join(guestLink, ada);
		await until(
			'the reminder',
			async () => ((await run.bench.mails(ben.email)).length > 1 ? true : undefined),
			waitTracker,
		);
		assert.deepEqual(await run.subjects(ben.email), [invitation, reminder]);
		assert.deepEqual(await run.subjects(ada.email), [invitation], 'who has joined is not reminded');
		const mail = (await run.bench.mails(ben.email)).at(-1);
		assert.ok(mail);
		assert.deepEqual(mail.links, [guestLink]);
		assert.match(mail.text, /you have not opened the form/);

		for (const person of [ada, ben]) await fillInForm(guestLink, person, person.name);
		const execution = await run.ended();
		assert.deepEqual(addressesOf(execution, collecting), [ada.name, ben.name]);
		assert.deepEqual(await run.bench.mails(office), []);
	});

	test('nobody answers: the office is told after the last reminder', async () => {
		const run = await start('nobody', withoutReminders);
		const execution = await run.ended();
		assert.equal(outputOf(execution, waiting)[0]?.timedOut, true);
		const [mail] = await run.bench.mailsTo(office);
		assert.ok(mail);
		assert.equal(mail.subject, 'The form about the new office is not complete');
		assert.deepEqual(mail.links, [await run.linkOf(ada.email)]);
		const { runData } = execution.data.resultData;
		assert.equal(runData['Email a reminder'], undefined);
		assert.equal(runData[collecting], undefined);
		assert.equal(runData[decision]?.length, 1);
	});

	test('all have joined and nobody has submitted: nobody is reminded, and it waits on', async () => {
		const run = await start('joined', withShortLimit);
		await run.waits();
		const guestLink = await run.linkOf(ada.email);
		for (const person of [ada, ben]) await join(guestLink, person);
		const decisions = async () => {
			const { data } = await run.bench.rest.getExecution(run.executionId);
			return data.resultData.runData[decision]?.length;
		};
		await until(
			'a decision',
			async () => ((await decisions()) === 1 ? true : undefined),
			waitTracker,
		);
		await run.waits();
		for (const person of [ada, ben]) await fillInForm(guestLink, person, person.name);
		const execution = await run.ended();
		assert.deepEqual(addressesOf(execution, collecting), [ada.name, ben.name]);
		assert.equal((await run.bench.mails()).length, 2);
	});
});
