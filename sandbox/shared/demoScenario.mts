import path from 'node:path';
import { actionType, triggerType } from '../n8n/examples.mts';
import { exampleOf } from '../n8n/setup.mts';
import { submitForm } from '../n8n/submitForm.mts';
import { outputOf, type Execution } from '../n8n/types.mts';
import { executionSucceeded, firstExecutionOf } from './executions.mts';
import { expectEqual, expectNoSecret, nodeOf, onlyItem, textField } from './expectations.mts';
import { Failure, messageOf } from './failure.mts';
import { completedDelivery, submitAnswers, type Person } from './guests.mts';
import { readMails } from './mailbox.mts';
import { serviceCredential } from './service.mts';
import type { Stack } from './stack.mts';

const formExample = 'form-to-email';
const rowsNode = 'Put the rows into the table';

const topic = 'New office';
const question = 'Delivery address';
const people: Person[] = [
	{ name: 'Ada Example', email: 'ada@example.com' },
	{ name: 'Ben Example', email: 'ben@example.com' },
];
const addressOf = (index: number) => `Example Street ${index + 1}, 8000 Zürich`;

/** What one step leaves for the next. */
interface Run {
	stack: Stack;
	requestId: string;
	guestLink: string;
	deliveryId: string;
	created?: Execution;
	triggered?: Execution;
}

/** Does one step and returns the lines to show; a Failure when it did not hold. */
type Step = (run: Run) => Promise<string[]>;

const pretty = (value: unknown) => JSON.stringify(value, null, 2).split('\n');

const nodesLoaded: Step = async ({ stack: { rest, n8n, service, mailbox, tarball } }) => {
	const types = (await rest.nodeTypes()).map(({ name }) => name);
	const missing = [actionType, triggerType].filter((type) => !types.includes(type));
	if (missing.length > 0) throw new Failure(`n8n has not loaded ${missing.join(', ')}.`);
	const addresses = `n8n ${n8n.url}, service ${service.url}, mailbox ${mailbox.url}`;
	return [addresses, `Installed ${path.basename(tarball)}`];
};

const credentialsWork: Step = async ({ stack: { rest, workspace } }) => {
	const lines: string[] = [];
	const { dataCollection, smtp } = workspace.credentials;
	for (const credential of [dataCollection, smtp]) {
		const { status, message } = await rest.testCredential(credential);
		expectEqual(`the test of "${credential.name}" (${message}) to answer`, status, 'OK');
		lines.push(`n8n says of "${credential.name}": ${message}`);
	}
	return lines;
};

const create: Step = async (run) => {
	const { rest, n8n, workspace } = run.stack;
	const workflow = exampleOf(workspace, formExample);
	await submitForm(n8n.url, workflow, {
		title: topic,
		sender: 'Sam Example',
		...Object.fromEntries(people.map(({ name }, index) => [`name${index + 1}`, name])),
		...Object.fromEntries(people.map(({ email }, index) => [`email${index + 1}`, email])),
	});
	const { id } = await firstExecutionOf(rest, workflow.id);
	run.created = await executionSucceeded(rest, id);
	const items = outputOf(run.created, nodeOf(workflow, actionType));
	const invited = JSON.stringify(items.map(({ email }) => email));
	expectEqual('the participants', invited, JSON.stringify(people.map(({ email }) => email)));
	run.requestId = textField(items[0] ?? {}, 'requestId');
	run.guestLink = textField(items[0] ?? {}, 'guestLink');
	return [`Request ID  ${run.requestId}`, `Guest link  ${run.guestLink}`];
};

const invite: Step = async ({ stack: { mailbox }, guestLink }) => {
	const lines: string[] = [];
	for (const { email } of people) {
		const mails = await readMails(mailbox.url, email);
		expectEqual(`the number of mails to ${email}`, mails.length, 1);
		expectEqual(`the link in the mail to ${email}`, mails[0]?.links.join(' '), guestLink);
		lines.push(`To ${email}: ${mails[0]?.subject}`);
	}
	return lines;
};

const submit: Step = async ({ guestLink }) => {
	for (const [index, person] of people.entries()) {
		await submitAnswers(guestLink, person, { [question]: addressOf(index) });
	}
	return people.map(({ name, email }) => `${name} <${email}> has submitted`);
};

const deliver: Step = async (run) => {
	const delivery = await completedDelivery(run.stack.service.url, run.requestId);
	run.deliveryId = delivery.deliveryId;
	const answer = `n8n answered ${delivery.statusCode} ${delivery.answer}`;
	return [`Delivery ID  ${run.deliveryId}`, answer];
};

const trigger: Step = async (run) => {
	const { rest, workspace } = run.stack;
	const { id } = await firstExecutionOf(rest, workspace.onCompleted.id);
	run.triggered = await executionSucceeded(rest, id);
	const item = onlyItem(run.triggered, workspace.onCompleted, triggerType);
	expectEqual('shareStatus', item.shareStatus, 'completed');
	expectEqual('requestId', item.requestId, run.requestId);
	expectEqual('deliveryId', item.deliveryId, run.deliveryId);
	return pretty(item);
};

const answers: Step = ({ triggered, requestId }) => {
	if (triggered === undefined) throw new Failure('There is no execution of the trigger.');
	const rows = outputOf(triggered, rowsNode);
	const given = rows.filter((row) => row.question === question);
	const shown = JSON.stringify(given.map(({ answer }) => answer));
	expectEqual(
		`the answers to "${question}"`,
		shown,
		JSON.stringify(people.map((_, at) => addressOf(at))),
	);
	for (const row of rows) expectEqual('request_id', row.request_id, requestId);
	const lines = rows.map((row) => `${String(row.question)}: ${String(row.answer) || '(empty)'}`);
	return Promise.resolve(lines);
};

const stored: Step = async ({ stack: { rest, workspace }, created, triggered }) => {
	const executions = [created, triggered].filter((execution) => execution !== undefined);
	const { webhookSecret } = workspace;
	expectNoSecret(executions, { ...serviceCredential, webhookSecret });
	const { length } = await rest.listExecutions(workspace.onCompleted.id);
	expectEqual('the number of executions that the notifications started', length, 1);
	return ['One execution for one completed request; no key, token ID or secret in the data.'];
};

const steps: Array<[title: string, step: Step]> = [
	['n8n has loaded the package', nodesLoaded],
	['The service and the mailbox accept the credentials', credentialsWork],
	['Somebody fills in the form that starts the first workflow', create],
	['The mailbox has a mail with the guest link for everybody who was invited', invite],
	['Everybody opens the link and submits', submit],
	['The service notifies n8n', deliver],
	['The trigger has started the second workflow with this item', trigger],
	['The second workflow has made a row of each answer', answers],
	['What n8n has stored', stored],
];

/** Runs the demo's steps and prints each; a Failure names the step that did not hold. */
export async function runScenario(stack: Stack): Promise<void> {
	const run: Run = { stack, requestId: '', guestLink: '', deliveryId: '' };
	for (const [index, [title, step]] of steps.entries()) {
		console.log(`\n${index + 1}. ${title}`);
		try {
			for (const line of await step(run)) console.log(`   ${line}`);
		} catch (error) {
			throw new Failure(`Step ${index + 1}, "${title}": ${messageOf(error)}`);
		}
	}
}
