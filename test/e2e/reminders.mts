import { randomUUID } from 'node:crypto';
import type { Mail } from '../../sandbox/mailbox.mts';
import { outputOf, runsOf } from '../../sandbox/n8n/types.mts';
import type { Execution, WorkflowFile, WorkflowNode } from '../../sandbox/n8n/types.mts';
import { until } from '../../sandbox/shared/until.mts';
import { connectionsOf } from '../support/edges.mts';
import { node, splitNode } from '../support/workflows.mts';
import { buttonName, linesOf, office, refusing, shortly } from '../support/examples.mts';
import { startsOf, withNode } from '../support/examples.mts';
import { waitTracker } from '../support/executions.mts';
import { person } from '../support/people.mts';
import type { Person } from '../support/service/requests.mts';

const example = 'invite-remind-collect';
const creating = 'Create the collection request';
const waiting = 'Wait for everybody';
const collecting = 'Collect the answers';
const invitation = 'New office: please enter your delivery address';
const reminder = 'Reminder: please enter your delivery address';

const [ada, ben, cleo, dan, eva, finn] = ['ada', 'ben', 'cleo', 'dan', 'eva', 'finn'].map(
	person,
) as [Person, Person, Person, Person, Person, Person];
const offices = [
	[ada, ben],
	[cleo, dan],
	[eva, finn],
];

const start = startsOf(example);

type Run = Awaited<ReturnType<typeof start>>;
const answer = async ({ linkTo, service }: Run, person: Person) =>
	service.submit(await linkTo(person.email), person, `Address of ${person.name}`);
const opens = async ({ linkTo, service }: Run, person: Person) =>
	service.join(await linkTo(person.email), person);

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
			...connectionsOf([[buttonName, list.name, split.name, creating].join(' -> ')]),
		},
	};
}

/**
 * invite-remind-collect for three offices: no email to the third can be sent. So the third round reminds
 * nobody, and goes on.
 */
export async function threeOffices(): Promise<void> {
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
	const [{ links: [link] } = { links: [] }] = mails;
	const lineOf = ({ name, email }: Person) => [`- ${name}, ${email}`, link];
	const missing = [eva, finn].flatMap(lineOf);
	expect(linesOf(mails[4] as Mail).slice(2, 6)).toStrictEqual(missing);
	expect(linesOf(mails[3] as Mail)).toContain('- eva@example.com: No recipients defined');
}
