import { readMails } from './mailbox/client.mts';
import { actionType, findNode, formType, formUrl, triggerType } from './n8n/examples.mts';
import { exampleOf } from './n8n/setup.mts';
import { failureOf, outputOf, type Execution, type Workflow } from './n8n/types.mts';
import type { RequestState } from './service/types.mts';
import { Failure, messageOf } from './shared/failure.mts';
import { poll } from './shared/poll.mts';
import { serviceCredential } from './shared/service.mts';
import type { Stack } from './stack.mts';

const question = 'Delivery address';
const people = [
	{ name: 'Ada Example', email: 'ada@example.com', address: 'Example Street 1, 8000 Zürich' },
	{ name: 'Ben Example', email: 'ben@example.com', address: 'Example Street 2, 8000 Zürich' },
];

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
	await step('n8n has loaded the package, and accepts the credentials', () => isSetUp(stack));
	const { requestId, guestLink, form } = await step(
		'Somebody fills in the form that starts the first workflow',
		() => fillInForm(stack),
	);
	await step('Everybody who was invited gets an email, opens its link and submits', () =>
		everybodySubmits(stack, guestLink),
	);
	const deliveryId = await step('The service notifies n8n', () => notified(stack, requestId));
	const triggered = await step('The trigger has started the second workflow with this item', () =>
		triggerStarted(stack, { requestId, shareStatus: 'completed', deliveryId }),
	);
	await step('The second workflow has turned each answer into a row', () => rowsMade(triggered));
	await step('What n8n has stored', () => nothingSecret(stack, [form, triggered]));
}

async function isSetUp({ n8n, workspace: { credentials } }: Stack): Promise<void> {
	const types = (await n8n.rest.nodeTypes()).map(({ name }) => name);
	const missing = [actionType, triggerType].filter((type) => !types.includes(type));
	expectEqual('the types that n8n has not loaded', missing, []);
	for (const credential of [credentials.dataCollection, credentials.smtp]) {
		const { status, message } = await n8n.rest.testCredential(credential);
		expectEqual(`the test of "${credential.name}" (${message})`, status, 'OK');
		say(`n8n says about "${credential.name}": ${message}`);
	}
}

/** Submits the first workflow's form as its page does. */
async function fillInForm(stack: Stack) {
	const workflow = exampleOf(stack.workspace, 'form-to-email');
	const answers = new Map([
		['title', 'New office'],
		['sender', 'Sam Example'],
		...people.map(({ name }, index) => [`name${index + 1}`, name] as const),
		...people.map(({ email }, index) => [`email${index + 1}`, email] as const),
	]);
	const fields = findNode(workflow, formType)?.parameters.formFields;
	const { values } = fields as { values: Array<{ fieldName: string }> };
	const body = new FormData();
	// n8n's page names its inputs by position.
	for (const [index, { fieldName }] of values.entries()) {
		body.append(`field-${index}`, answers.get(fieldName) ?? '');
	}
	await call(formUrl(stack.n8n.url, workflow) ?? '', { method: 'POST', body });
	const { execution: form, items } = await firstRun(stack, workflow, actionType);
	const invited = items.map(({ email }) => email);
	expectEqual('the participants', invited, emailsOf(people));
	const [requestId, guestLink] = [String(items[0]?.requestId), String(items[0]?.guestLink)];
	say(`Request ID  ${requestId}`);
	say(`Guest link  ${guestLink}`);
	return { requestId, guestLink, form };
}

const emailsOf = (list: typeof people) => list.map(({ email }) => email);

async function everybodySubmits({ mailbox }: Stack, guestLink: string): Promise<void> {
	for (const { name, email, address } of people) {
		const mails = await readMails(mailbox.url, email);
		const links = mails.map((mail) => mail.links);
		expectEqual(`the links in the mails to ${email}`, links, [[guestLink]]);
		const body = new URLSearchParams({ name, email, [`answers[${question}]`]: address });
		await call(guestLink, { method: 'POST', body });
		say(`To ${email}: ${mails[0]?.subject}. ${name} has submitted.`);
	}
}

/** The ID of the delivery that reported `completed`, once n8n has responded to it with 200. */
async function notified({ service }: Stack, requestId: string): Promise<string> {
	const read = async () => {
		const text = await call(`${service.url}/sandbox/requests/${requestId}`);
		const { deliveries } = JSON.parse(text) as RequestState;
		return deliveries.find(({ shareStatus }) => shareStatus === 'completed');
	};
	const { deliveryId, statusCode, answer } = await poll({
		expected: 'a delivery with share status completed to which n8n responded with 200',
		within: 15_000,
		read: async () => {
			const found = await read();
			return found?.statusCode === 200 ? found : undefined;
		},
		describe: async () => JSON.stringify((await read()) ?? 'no such delivery'),
	});
	say(`Delivery ID  ${deliveryId}`);
	say(`n8n responded ${statusCode} ${answer}`);
	return deliveryId;
}

async function triggerStarted(stack: Stack, expected: Record<string, string>): Promise<Execution> {
	const { execution, items } = await firstRun(stack, stack.workspace.onCompleted, triggerType);
	expectEqual('the number of items', items.length, 1);
	for (const [name, value] of Object.entries(expected)) expectEqual(name, items[0]?.[name], value);
	JSON.stringify(items[0], null, 2).split('\n').forEach(say);
	return execution;
}

function rowsMade(triggered: Execution): void {
	const rows = outputOf(triggered, 'Put the rows into the table');
	const given = rows.filter((row) => row.question === question).map(({ answer }) => answer);
	const expected = people.map(({ address }) => address);
	expectEqual(`the answers to "${question}"`, given, expected);
	for (const row of rows) say(`${String(row.question)}: ${String(row.answer) || '(empty)'}`);
}

async function nothingSecret({ n8n, workspace }: Stack, executions: Execution[]): Promise<void> {
	const { webhookSecret, onCompleted } = workspace;
	const stored = JSON.stringify(executions);
	const secrets = Object.entries({ ...serviceCredential, webhookSecret });
	// Only the names, not the secrets.
	const found = secrets.filter(([, secret]) => stored.includes(secret)).map(([name]) => name);
	expectEqual('the secrets that n8n stored', found, []);
	const { length } = await n8n.rest.listExecutions(onCompleted.id);
	expectEqual('the number of executions that the notifications started', length, 1);
	say('One execution for one completed collection request, and no key or secret in its data.');
}

/** The workflow's first execution, which must succeed, and the output of its node of this type. */
async function firstRun({ n8n: { rest } }: Stack, workflow: Workflow, type: string) {
	const { id } = await poll({
		expected: `an execution of workflow ${workflow.id} to end`,
		within: 30_000,
		read: async () => {
			const first = (await rest.listExecutions(workflow.id)).at(-1);
			return first && !['new', 'running'].includes(first.status) ? first : undefined;
		},
	});
	const execution = await rest.getExecution(id);
	expectEqual(`why execution ${id} failed`, failureOf(execution) ?? '', '');
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
