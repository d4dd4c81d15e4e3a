import path from 'node:path';
import { actionType, findNode, formType, formUrl, triggerType } from './n8n/examples.mts';
import { executionSucceeded } from './n8n/executions.mts';
import type { N8nRest } from './n8n/rest.mts';
import { exampleOf } from './n8n/setup.mts';
import { outputOf, type Execution, type Json, type Workflow } from './n8n/types.mts';
import { readMails } from './mailbox/client.mts';
import type { RequestState } from './service/types.mts';
import { Failure, messageOf } from './shared/failure.mts';
import { poll } from './shared/poll.mts';
import { serviceCredential } from './shared/service.mts';
import type { Stack } from './stack.mts';

const topic = 'New office';
const question = 'Delivery address';
const people = [
	{ name: 'Ada Example', email: 'ada@example.com', address: 'Example Street 1, 8000 Zürich' },
	{ name: 'Ben Example', email: 'ben@example.com', address: 'Example Street 2, 8000 Zürich' },
];
const emails = people.map(({ email }) => email);
const addresses = people.map(({ address }) => address);

/** Prints a line of a step. */
const say = (line: string) => console.log(`   ${line}`);

/** Runs and prints the demo's steps; a Failure names the step that failed. */
export async function runScenario(stack: Stack): Promise<void> {
	let number = 0;
	const step = async <T,>(title: string, work: () => T | Promise<T>): Promise<T> => {
		number += 1;
		console.log(`\n${number}. ${title}`);
		try {
			return await work();
		} catch (error) {
			throw new Failure(`Step ${number}, "${title}": ${messageOf(error)}`);
		}
	};
	await step('n8n has loaded the package', () => nodesLoaded(stack));
	await step('The service and the mailbox accept the credentials', () => credentialsWork(stack));
	const created = await step('Somebody fills in the form that starts the first workflow', () =>
		fillInForm(stack),
	);
	const { requestId, guestLink } = created;
	await step('The mailbox has an email with the guest link for everybody who was invited', () =>
		everybodyHasMail(stack, guestLink),
	);
	await step('Everybody opens the link and submits', () => everybodySubmits(guestLink));
	const { deliveryId } = await step('The service notifies n8n', () => notified(stack, requestId));
	const triggered = await step('The trigger has started the second workflow with this item', () =>
		triggerStarted(stack, { shareStatus: 'completed', requestId, deliveryId }),
	);
	await step('The second workflow has turned each answer into a row', () =>
		rowsMade(triggered, requestId),
	);
	await step('What n8n has stored', () => nothingSecret(stack, [created.execution, triggered]));
}

async function nodesLoaded({ n8n, service, mailbox }: Stack): Promise<void> {
	const types = (await n8n.rest.nodeTypes()).map(({ name }) => name);
	const missing = [actionType, triggerType].filter((type) => !types.includes(type));
	expectEqual('the types that n8n has not loaded', missing, []);
	say(`n8n ${n8n.url}, service ${service.url}, mailbox ${mailbox.url}`);
	say(`Installed ${path.basename(n8n.tarball)}`);
}

async function credentialsWork({ n8n, workspace: { credentials } }: Stack): Promise<void> {
	for (const credential of [credentials.dataCollection, credentials.smtp]) {
		const { status, message } = await n8n.rest.testCredential(credential);
		expectEqual(`the test of "${credential.name}" (${message})`, status, 'OK');
		say(`n8n says about "${credential.name}": ${message}`);
	}
}

async function fillInForm({ n8n, workspace }: Stack) {
	const workflow = exampleOf(workspace, 'form-to-email');
	const answers = new Map([
		['title', topic],
		['sender', 'Sam Example'],
		...people.map(({ name }, index) => [`name${index + 1}`, name] as const),
		...people.map(({ email }, index) => [`email${index + 1}`, email] as const),
	]);
	await submitForm(n8n.url, workflow, answers);
	const { execution, items } = await firstRun(n8n.rest, workflow, actionType);
	const invited = items.map(({ email }) => email);
	expectEqual('the participants', invited, emails);
	const [requestId, guestLink] = [String(items[0]?.requestId), String(items[0]?.guestLink)];
	say(`Request ID  ${requestId}`);
	say(`Guest link  ${guestLink}`);
	return { execution, requestId, guestLink };
}

/** Submits the workflow's form as its page does, with the answers by field name. */
async function submitForm(n8nUrl: string, workflow: Workflow, answers: Map<string, string>) {
	const form = findNode(workflow, formType)?.parameters.formFields;
	const { values } = form as { values: Array<{ fieldName: string }> };
	const body = new FormData();
	// n8n's page names its inputs by position.
	for (const [index, { fieldName }] of values.entries()) {
		body.append(`field-${index}`, answers.get(fieldName) ?? '');
	}
	await call(formUrl(n8nUrl, workflow) ?? '', { method: 'POST', body });
}

async function everybodyHasMail({ mailbox }: Stack, guestLink: string): Promise<void> {
	for (const email of emails) {
		const mails = await readMails(mailbox.url, email);
		const links = mails.map((mail) => mail.links);
		expectEqual(`the links in the mails to ${email}`, links, [[guestLink]]);
		say(`To ${email}: ${mails[0]?.subject}`);
	}
}

async function everybodySubmits(guestLink: string): Promise<void> {
	const headers = { 'content-type': 'application/json', accept: 'application/json' };
	for (const { name, email, address } of people) {
		const body = JSON.stringify({ name, email, answers: { [question]: address } });
		await call(guestLink, { method: 'POST', headers, body });
		say(`${name} <${email}> has submitted`);
	}
}

/** The delivery that reported `completed`, once n8n has responded to it. */
async function notified({ service }: Stack, requestId: string) {
	const read = async () => {
		const text = await call(`${service.url}/sandbox/requests/${requestId}`);
		const { deliveries } = JSON.parse(text) as RequestState;
		return deliveries.find(({ shareStatus }) => shareStatus === 'completed');
	};
	const delivery = await poll({
		expected: 'a delivery with share status completed to which n8n responded with 200',
		within: 15_000,
		read: async () => {
			const found = await read();
			return found?.statusCode === 200 ? found : undefined;
		},
		describe: async () => JSON.stringify((await read()) ?? 'no such delivery'),
	});
	say(`Delivery ID  ${delivery.deliveryId}`);
	say(`n8n responded ${delivery.statusCode} ${delivery.answer}`);
	return delivery;
}

async function triggerStarted(
	{ n8n: { rest }, workspace }: Stack,
	expected: Json,
): Promise<Execution> {
	const { onCompleted } = workspace;
	const { execution, items } = await firstRun(rest, onCompleted, triggerType);
	expectEqual('the number of items', items.length, 1);
	for (const [name, value] of Object.entries(expected)) expectEqual(name, items[0]?.[name], value);
	JSON.stringify(items[0], null, 2).split('\n').forEach(say);
	return execution;
}

function rowsMade(triggered: Execution, requestId: string): void {
	const rows = outputOf(triggered, 'Put the rows into the table');
	const given = rows.filter((row) => row.question === question).map(({ answer }) => answer);
	expectEqual(`the answers to "${question}"`, given, addresses);
	for (const row of rows) {
		expectEqual('request_id', row.request_id, requestId);
		say(`${String(row.question)}: ${String(row.answer) || '(empty)'}`);
	}
}

async function nothingSecret(
	{ n8n: { rest }, workspace }: Stack,
	executions: Execution[],
): Promise<void> {
	const { webhookSecret, onCompleted } = workspace;
	const stored = JSON.stringify(executions);
	const secrets = Object.entries({ ...serviceCredential, webhookSecret });
	// Only the names, not the secrets.
	const found = secrets.filter(([, secret]) => stored.includes(secret)).map(([name]) => name);
	expectEqual('the secrets that n8n stored', found, []);
	const { length } = await rest.listExecutions(onCompleted.id);
	expectEqual('the number of executions that the notifications started', length, 1);
	say(
		'One execution for one completed collection request; no API key, token ID or webhook secret in the data.',
	);
}

/** The workflow's first successful execution, and the output of its node of this type. */
async function firstRun(rest: N8nRest, workflow: Workflow, type: string) {
	const { id } = await poll({
		expected: `an execution of workflow ${workflow.id}`,
		within: 30_000,
		read: async () => (await rest.listExecutions(workflow.id)).at(-1),
		describe: () => Promise.resolve('nothing has started it.'),
	});
	const execution = await executionSucceeded(rest, id);
	return { execution, items: outputOf(execution, findNode(workflow, type)?.name ?? '') };
}

/** Throws a Failure that shows both values if they differ. */
function expectEqual(what: string, actual: unknown, expected: unknown): void {
	const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
	if (got !== wanted) throw new Failure(`Expected ${what} to be ${wanted}, got ${got}.`);
}

async function call(url: string, init?: RequestInit): Promise<string> {
	const response = await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) });
	const text = await response.text();
	if (response.ok) return text;
	throw new Failure(`${url} responded with ${response.status}: ${text.slice(0, 300)}`);
}
