import { randomUUID } from 'node:crypto';
import type { Mail } from '../../sandbox/mailbox/smtp.mts';
import { outputOf, runsOf } from '../../sandbox/n8n/types.mts';
import type { Execution, WorkflowFile, WorkflowNode } from '../../sandbox/n8n/types.mts';
import { node, splitNode, to } from '../support/workflows.mts';
import { buttonName, linesOf, office, person, refusing, shortly } from '../support/examples.mts';
import { startsOf, together, withNode } from '../support/examples.mts';
import { waitTracker } from '../support/executions.mts';
import { fillInForm, join, stateOf } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';

// What users do with the example invite-remind-collect, in each of the ways in which n8n runs it.

const example = 'invite-remind-collect';
const creating = 'Create the collection request';
const waiting = 'Wait for everybody';
const collecting = 'Collect the answers';
const invitation = 'New office: please enter your delivery address';
const reminder = 'Reminder: please enter your delivery address';

const [ada, ben, cleo, dan, eva, finn] = ['ada', 'ben', 'cleo', 'dan', 'eva', 'finn'].map(
	person,
) as [Person, Person, Person, Person, Person, Person];
const everybody = [ada, ben, cleo];
const offices = [
	[ada, ben],
	[cleo, dan],
	[eva, finn],
];

type Person = Record<'name' | 'email', string>;

const start = startsOf(example);

type Run = Awaited<ReturnType<typeof start>>;
const answer = async ({ linkTo }: Run, person: Person) =>
	await fillInForm(await linkTo(person.email), person, `Address of ${person.name}`);
const opens = async ({ linkTo }: Run, person: Person) =>
	await join(await linkTo(person.email), person);

const addressesIn = (execution: Execution) =>
	outputOf(execution, collecting).flatMap(({ label, value }) =>
		label === 'Delivery address' ? [value] : [],
	);
const addressesOf = (people: Person[]) => people.map(({ name }) => `Address of ${name}`);

/** The example with a list before Create: a collection request for each of three offices. */
function withOffices(file: WorkflowFile): WorkflowFile {
	const value = JSON.stringify(offices.map((people) => ({ people })));
	const assignments = [{ id: randomUUID(), name: 'offices', type: 'array', value }];
	const parameters = { assignments: { assignments }, options: {} };
	const list = node('List the offices', 'n8n-nodes-base.set', 3.4, parameters);
	const split: WorkflowNode = splitNode('offices');
	const changed = withNode(file, creating, {
		participantsMode: 'json',
		participantsJson: '={{ $json.people }}',
	});
	return {
		...changed,
		nodes: [...changed.nodes, list, split],
		connections: {
			...changed.connections,
			[buttonName]: { main: [to(list.name)] },
			[list.name]: { main: [to(split.name)] },
			[split.name]: { main: [to(creating)] },
		},
	};
}

/** No email to the third office can be sent. So the third round reminds nobody, and goes on. */
async function oneOfficeNever() {
	const run = await start('offices', (file) =>
		refusing('eva', 'finn')(withOffices(shortly(waiting)(file))),
	);
	const reminders = () => run.mails().filter(({ subject }) => subject === reminder);
	const reminded = (count: number) =>
		until(`${count} reminders`, () => reminders().length >= count, waitTracker);
	await until('all are invited', () => run.mails().length === 5);
	await opens(run, ada);
	await reminded(3);
	await answer(run, ada);
	await answer(run, ben);
	await answer(run, cleo);
	await opens(run, dan);
	await reminded(5);
	await answer(run, dan);
	const execution = await run.ended();

	const expected = [ben, cleo, dan, cleo, dan].map(async ({ name, email }) => [
		`Hello ${name},`,
		email,
		await run.linkTo(email),
	]);
	const found = reminders().map((mail) => [linesOf(mail)[0], mail.to[0], mail.links[0]]);
	expect(found).toStrictEqual(await Promise.all(expected));
	const invited = run.mails().filter(({ subject }) => subject === invitation);
	expect(invited.map(({ to: [email] }) => email)).toStrictEqual(
		[ada, ben, cleo, dan].map(({ email }) => email),
	);
	const timedOut = { timedOut: true };
	const round = [[], [timedOut, timedOut, timedOut]];
	expect(runsOf(execution, waiting)).toMatchObject([round, round, round, round]);
	expect(addressesIn(execution)).toStrictEqual(addressesOf([ada, ben, cleo, dan]));
	const mails = run.mails(office);
	const unsent = 'New office: somebody got no email';
	expect(mails.map(({ subject }) => subject)).toStrictEqual([
		...[unsent, unsent, unsent, unsent],
		'The form about the new office is not complete',
	]);
	expect(run.mails()).toHaveLength(invited.length + found.length + mails.length);
	const [{ links: [link] = [] } = {}] = mails;
	const lineOf = ({ name, email }: Person) => [`- ${name}, ${email}`, link];
	const missing = [eva, finn].flatMap(lineOf);
	expect(linesOf(mails[4] as Mail).slice(2, 6)).toStrictEqual(missing);
	expect(linesOf(mails[3] as Mail)).toContain('- eva@example.com: No recipients defined');
}

async function allAnswerAtOnce() {
	const run = await start('file');
	await run.waits();
	const link = await run.linkTo(ada.email);
	const requestId = link.split('/').at(-1) ?? '';
	for (const { name, email } of everybody) {
		const mail = await run.mailTo(email);
		expect([mail.subject, mail.links]).toStrictEqual([invitation, [link]]);
		expect(linesOf(mail)[0]).toBe(`Hello ${name},`);
	}
	const { webhook, request } = await stateOf(requestId);
	expect(webhook?.url).toContain(`/webhook-waiting/${run.executionId}/data-collection`);
	expect(request.minimumParticipants).toBe(3);

	// Two of three answers do not end the wait.
	await answer(run, ada);
	await answer(run, ben);
	expect(await run.status()).toBe('waiting');
	await answer(run, cleo);
	const execution = await run.ended();
	const done = { requestId, shareStatus: 'completed', isReached: true, timedOut: false };
	expect(runsOf(execution, waiting)).toMatchObject([[[done], []]]);
	expect(addressesIn(execution)).toStrictEqual(addressesOf(everybody));
	expect(run.mails().length).toBe(3);
}

together({
	'all are invited, and the answers of all are collected': allAnswerAtOnce,
	'one of three offices gets no email: the others are reminded, and the office is told':
		oneOfficeNever,
});
