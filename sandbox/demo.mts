// `npm run demo`: the tour of docs/sandbox.md without a person, in a sandbox of its own.
import { rm } from 'node:fs/promises';
import { findNode, formType, formUrl } from './n8n/examples.mts';
import { exampleOf } from './n8n/setup.mts';
import { failureOf, outputOf, type Workflow } from './n8n/types.mts';
import { Failure } from './shared/failure.mts';
import { runCommand } from './shared/lifetime.mts';
import { withLock } from './shared/lock.mts';
import { stateFolder } from './shared/paths.mts';
import { poll } from './shared/poll.mts';
import { freePorts } from './shared/ports.mts';
import { startSandbox, type Sandbox } from './stack.mts';

const question = 'Delivery address';
const people = [
	{ name: 'Ada Example', email: 'ada@example.com', answer: 'Example Street 1, 8000 Zürich' },
	{ name: 'Ben Example', email: 'ben@example.com', answer: 'Example Street 2, 8000 Zürich' },
];

async function post(url: string, body: FormData | URLSearchParams): Promise<void> {
	const { status, ok } = await fetch(url, { method: 'POST', body });
	if (!ok) throw new Failure(`${url} responded with ${status}.`);
}

/** Submits the form of the first workflow; n8n's page names its inputs by position. */
async function fillInForm({ n8n, workspace }: Sandbox): Promise<void> {
	const workflow = exampleOf(workspace, 'form-to-email');
	const answers: Record<string, string> = { title: 'New office', sender: 'Sam Example' };
	for (const [index, { name, email }] of people.entries()) {
		Object.assign(answers, { [`name${index + 1}`]: name, [`email${index + 1}`]: email });
	}
	const fields = findNode(workflow, formType)?.parameters.formFields;
	const { values } = fields as { values: Array<{ fieldName: string }> };
	const body = new FormData();
	for (const [index, { fieldName }] of values.entries()) {
		body.append(`field-${index}`, answers[fieldName] ?? '');
	}
	await post(formUrl(n8n.url, workflow) ?? '', body);
}

/** Opens the link in the email to each person, and submits an answer. */
async function everybodyAnswers({ mailbox }: Sandbox): Promise<void> {
	for (const { name, email, answer } of people) {
		const read = () => mailbox.mailsTo(email)[0];
		const expected = `an email to ${email}`;
		const { subject, links } = await poll({ expected, within: 30_000, read });
		if (links.length !== 1) throw new Failure(`Expected one link, got ${links.join(', ')}.`);
		console.log(`   ${email}: "${subject}" with ${links.join(', ')}`);
		const body = new URLSearchParams({ name, email, [`answers[${question}]`]: answer });
		await post(links[0] ?? '', body);
	}
}

/** The rows that the second workflow, which the notification starts, has made of the answers. */
async function assertRows({ n8n: { rest }, workspace }: Sandbox): Promise<void> {
	const { id }: Workflow = workspace.onCompleted;
	const ended = await poll({
		expected: 'the notification to start the second workflow',
		within: 30_000,
		read: async () => (await rest.listExecutions(id)).find(({ status }) => status === 'success'),
		describe: async () => JSON.stringify(await rest.listExecutions(id)),
	});
	const execution = await rest.getExecution(ended.id);
	const rows = outputOf(execution, 'Put the rows into the table');
	for (const row of rows) console.log(`   ${String(row.question)}: ${String(row.answer)}`);
	const given = rows.filter((row) => row.question === question).map((row) => row.answer);
	const expected = people.map(({ answer }) => answer);
	if (given.join() !== expected.join()) {
		throw new Failure(`Expected ${expected.join()}: ${failureOf(execution) ?? given.join()}`);
	}
}

const steps: Array<[title: string, work: (stack: Sandbox) => Promise<void>]> = [
	['Somebody fills in the form that starts the first workflow', fillInForm],
	['Everybody who was invited opens the link in their email and answers', everybodyAnswers],
	['The service notifies n8n: the second workflow makes a row of each answer', assertRows],
];

async function demo(): Promise<number> {
	const userFolder = stateFolder('demo');
	await rm(userFolder, { recursive: true, force: true });
	const [n8n = 0, service = 0, mailbox = 0, smtp = 0] = await freePorts(4);
	const ports = { n8n, service, mailbox, smtp };
	const sandbox = await startSandbox({ userFolder, ports, mode: 'usual' });
	console.log(`n8n's log: ${sandbox.n8n.logFile}`);
	for (const [index, [title, work]] of steps.entries()) {
		console.log(`\n${index + 1}. ${title}`);
		await work(sandbox);
	}
	console.log('\nThe demo succeeded.');
	return 0;
}

const onWait = () => console.log('Another demo of this checkout is running; waiting for it.');
await runCommand(() => withLock('demo', onWait, demo), 130);
