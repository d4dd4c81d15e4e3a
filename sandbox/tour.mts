import { findNode, formType, formUrl } from './n8n/examples.mts';
import { failureOf, outputOf, type Workflow } from './n8n/types.mts';
import type { Sandbox } from './sandbox.mts';
import { Failure } from './shared/failure.mts';
import { until } from './shared/until.mts';

const people = [
	{ name: 'Ada Example', email: 'ada@example.com', address: 'Example Street 1, 8000 Zürich' },
	{ name: 'Ben Example', email: 'ben@example.com', address: 'Example Street 2, 8000 Zürich' },
];

async function post(url: string, body: FormData | URLSearchParams): Promise<void> {
	const { status, ok } = await fetch(url, { method: 'POST', body });
	if (!ok) throw new Failure(`${url} responded with ${status}.`);
}

/** Submits the form of the first workflow; n8n's page names its inputs by position. */
async function fillInForm({ n8n, workspace }: Sandbox): Promise<void> {
	const workflow = workspace['form-to-email'] as Workflow;
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

/** Opens the link in the email to each person, and answers as that person. */
async function everybodyAnswers({ mailbox }: Sandbox): Promise<void> {
	for (const { email, address } of people) {
		const read = () => mailbox.mailsTo(email)[0];
		const { subject, links } = await until(`there is an email to ${email}`, read);
		if (links.length !== 1) throw new Failure(`Expected one link, got ${links.join(', ')}.`);
		console.log(`   ${email}: "${subject}" with ${links.join(', ')}`);
		await post(links[0] ?? '', new URLSearchParams({ who: email, answer0: address }));
	}
}

/** The rows that the second workflow, which the notification starts, has made of the answers. */
async function assertRows({ rest, workspace }: Sandbox): Promise<void> {
	const { id } = workspace['completed-to-rows'] as Workflow;
	const ended = await until('the notification has started the second workflow', async () =>
		(await rest.listExecutions(id)).find(({ status }) => status === 'success'),
	);
	const execution = await rest.getExecution(ended.id);
	const rows = outputOf(execution, 'Put the rows into the table');
	for (const row of rows) console.log(`   ${String(row.question)}: ${String(row.answer)}`);
	const given = rows.map(({ answer }) => answer).filter(Boolean);
	const expected = people.map(({ address }) => address);
	if (given.join() !== expected.join()) {
		throw new Failure(`Expected ${expected.join()}: ${failureOf(execution) ?? given.join()}`);
	}
}

const steps: Array<[title: string, work: (sandbox: Sandbox) => Promise<void>]> = [
	['Somebody fills in the form that starts the first workflow', fillInForm],
	['Everybody who was invited opens the link in their email and answers', everybodyAnswers],
	['The practice service notifies n8n: the second workflow makes a row of each answer', assertRows],
];

/** Takes the tour of docs/sandbox.md without a person, and prints each step; throws a Failure. */
export async function takeTour(sandbox: Sandbox): Promise<void> {
	for (const [index, [title, work]] of steps.entries()) {
		console.log(`\n${index + 1}. ${title}`);
		await work(sandbox);
	}
	console.log('\nThe demo succeeded.');
}
