import { randomUUID } from 'node:crypto';
import type { Mail } from '../../sandbox/mailbox/smtp.mts';
import { outputOf, runsOf } from '../../sandbox/n8n/types.mts';
import type { Execution, WorkflowFile, WorkflowNode } from '../../sandbox/n8n/types.mts';
import { node, splitNode, to } from '../support/workflows.mts';
import { buttonName, linesOf, office, person, refusing, shortly } from '../support/examples.mts';
import { startsOf, stepsOf, together, withNode } from '../support/examples.mts';
import { waitTracker } from '../support/executions.mts';
import { fillInForm, forge, join, stateOf } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';

// What users do with the example invite-remind-collect, in each of the ways in which n8n runs it.

const example = 'invite-remind-collect';
const creating = 'Create the collection request';
const inviting = 'Email the guest link';
const waiting = 'Wait for everybody';
const finding = 'Find whom to remind';
const reminding = 'Email a reminder';
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

/** The emails of a run, oldest first. */
interface Emails {
	mails: () => Promise<Mail[]>;
	linkOf: (email: string) => Promise<string>;
}

const start = startsOf(example);

const answer = async ({ linkOf }: Emails, person: Person) =>
	await fillInForm(await linkOf(person.email), person, `Address of ${person.name}`);
const opens = async ({ linkOf }: Emails, person: Person) =>
	await join(await linkOf(person.email), person);

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

/** Follows the reminders round by round: each to the right people, once, with their own link. */
function roundsOf({ mails, linkOf }: Emails) {
	let seen = 0;
	const sent = async () => (await mails()).filter(({ subject }) => subject === reminder);
	return {
		/** Once the next round has reminded as many as these: whom it has reminded. */
		next: async (people: Person[]) => {
			const enough = async () => {
				const all = await sent();
				return all.length >= seen + people.length ? all.slice(seen) : undefined;
			};
			const round = await until(`${people.length} more reminders`, enough, waitTracker);
			seen += round.length;
			const expected = people.map(async ({ email }) => [[email], [await linkOf(email)]]);
			const found = round.map(({ to: address, links }) => [address, links]);
			expect(found).toStrictEqual(await Promise.all(expected));
		},
		/** Fails if there were other emails than the invitations of these people and the reminders. */
		end: async (people: Person[], others = 0) => {
			expect((await sent()).length).toBe(seen);
			const invited = (await mails()).filter(({ subject }) => subject === invitation);
			const addresses = invited.map(({ to: address }) => address);
			expect(addresses).toStrictEqual(people.map(({ email }) => [email]));
			expect((await mails()).length).toBe(people.length + seen + others);
		},
	};
}

/** No email to the third office can be sent. So the third round reminds nobody, and goes on. */
async function oneOfficeNever() {
	const run = await start('offices', (file) =>
		refusing('eva', 'finn')(withOffices(shortly(waiting)(file))),
	);
	const rounds = roundsOf(run);
	await until('all are invited', async () => (await run.mails()).length === 5);
	await opens(run, ada);
	await rounds.next([ben, cleo, dan]);
	await answer(run, ada);
	await answer(run, ben);
	await answer(run, cleo);
	await opens(run, dan);
	await rounds.next([cleo, dan]);
	await answer(run, dan);
	const execution = await run.ended();
	await rounds.end([ada, ben, cleo, dan], 5);

	const timedOut = { timedOut: true };
	const round = [[], [timedOut, timedOut, timedOut]];
	expect(runsOf(execution, waiting)).toMatchObject([round, round, round, round]);
	expect(addressesIn(execution)).toStrictEqual(addressesOf([ada, ben, cleo, dan]));
	const mails = await run.mails(office);
	const unsent = 'New office: somebody got no email';
	expect(mails.map(({ subject }) => subject)).toStrictEqual([
		...[unsent, unsent, unsent, unsent],
		'The form about the new office is not complete',
	]);
	const [{ links: [link] = [] } = {}] = mails;
	const missing = ['- eva@example.com', link, '- finn@example.com', link];
	expect(linesOf(mails[4] as Mail).slice(2, 6)).toStrictEqual(missing);
	expect(linesOf(mails[3] as Mail)).toContain('- eva@example.com: No recipients defined');
}

async function allAnswerAtOnce() {
	const run = await start('file');
	await run.waits();
	const link = await run.linkOf(ada.email);
	const requestId = link.split('/').at(-1) ?? '';
	for (const { name, email } of everybody) {
		const mail = await run.mailTo(email);
		expect([mail.subject, mail.links]).toStrictEqual([invitation, [link]]);
		expect(linesOf(mail)[0]).toBe(`Hello ${name},`);
	}
	const { webhook, request } = await stateOf(requestId);
	expect(webhook?.url).toContain(`/webhook-waiting/${run.executionId}/data-collection`);
	expect(request.minimumParticipants).toBe(3);

	// Neither two of three answers nor a forgery ends the wait.
	await answer(run, ada);
	await answer(run, ben);
	await forge(requestId);
	expect(await run.status()).toBe('waiting');
	await answer(run, cleo);
	const execution = await run.ended();
	const done = { requestId, shareStatus: 'completed', isReached: true, timedOut: false };
	expect(runsOf(execution, waiting)).toMatchObject([[[done], []]]);
	expect(addressesIn(execution)).toStrictEqual(addressesOf(everybody));
	expect((await run.mails()).length).toBe(3);
}

async function oneHasNotSubmittedStepByStep() {
	const run = await stepsOf(example, 'steps', shortly(waiting, 2));
	await run.step(creating);
	await run.step(inviting);
	await answer(run, ada);
	await answer(run, ben);
	await opens(run, cleo);
	expect(runsOf(await run.step(waiting), waiting)).toMatchObject([[[], [{ timedOut: true }]]]);
	const [[people, completed] = []] = runsOf(await run.step(finding), finding);
	expect(people?.map(({ email }) => email)).toStrictEqual(everybody.map(({ email }) => email));
	expect(completed).toStrictEqual([]);
	await run.step(reminding);
	const rounds = roundsOf(run);
	await rounds.next(everybody);
	await answer(run, cleo);
	expect(runsOf(await run.step(waiting), waiting)).toMatchObject([[[{ isReached: true }], []]]);
	expect(addressesIn(await run.step(collecting))).toStrictEqual(addressesOf(everybody));
	await rounds.end(everybody);
}

together({
	'all are invited, and the answers of all are collected': allAnswerAtOnce,
	'one of three offices gets no email: the others are reminded, and the office is told':
		oneOfficeNever,
	'step by step, all have opened the form and one has not submitted: all are reminded':
		oneHasNotSubmittedStepByStep,
});
