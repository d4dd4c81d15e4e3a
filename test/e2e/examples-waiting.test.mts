import { outputOf, type Execution, type WorkflowFile } from '../../sandbox/n8n/types.mts';
import { rest } from '../support/environment.mts';
import { linesOf, office, startsOf, withNode, withText } from '../support/examples.mts';
import { ada, ben, bothAnswer, fillInForm, forge, join } from '../support/sandboxService.mts';
import { stateOf } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';
import { waitTracker } from '../support/waiting.mts';

const collecting = 'Collect the answers';

const requestIdOf = (guestLink: string) => guestLink.split('/').at(-1) ?? '';
const runsOf = ({ data }: Execution, node: string) => data.resultData.runData[node]?.length ?? 0;
/** The addresses in the output of Get Answers. */
const addresses = (execution: Execution) =>
	outputOf(execution, collecting).flatMap(({ label, value }) =>
		label === 'Delivery address' ? [value] : [],
	);
/** Limits a node's waits: long enough for all that comes before the wait on a busy machine. */
const shortly = (node: string) => (file: WorkflowFile) =>
	withNode(file, node, { resumeAmount: 10, resumeUnit: 'seconds' });

/** Waits end only once a minute, so all tests of this file start together, before the first. */
const bodies = new Map<string, () => Promise<void>>();
const running = new Map<string, Promise<void>>();
beforeAll(() => {
	for (const [title, body] of bodies) {
		const result = body();
		// Its own test reports a failure, perhaps long after it happened.
		result.catch(() => undefined);
		running.set(title, result);
	}
});
const together = (title: string, body: () => Promise<void>) => {
	bodies.set(title, body);
	test(title, async () => await running.get(title));
};

describe('the example invite-remind-collect', () => {
	const start = startsOf('invite-remind-collect');
	const waiting = 'Wait for everybody';
	const decision = 'What now?';
	const invitation = 'New office: please enter your delivery address';
	const reminder = 'Reminder: please enter your delivery address';
	const zurich = [ada, ben];
	const berlin = ['Cleo', 'Dan'].map((name) => ({
		name: `${name} Example`,
		email: `${name.toLowerCase()}@example.com`,
	}));
	const everybody = [...zurich, ...berlin];
	type Run = Awaited<ReturnType<typeof start>>;
	const links = async (run: Run) => [
		await run.linkOf(ada.email),
		await run.linkOf('dan@example.com'),
	];
	const allAnswer = async (run: Run) => {
		for (const { name, email } of everybody) {
			await fillInForm(await run.linkOf(email), { name, email }, `Address of ${name}`);
		}
	};
	const allAddresses = everybody.map(({ name }) => `Address of ${name}`);
	const subjectsTo = async (run: Run, email: string) =>
		(await run.mails(email)).map(({ subject }) => subject);

	together('all are invited, and the answers of all are collected', async () => {
		const run = await start('file');
		await run.waits();
		const [first = '', second = ''] = await links(run);
		expect(first).not.toBe(second);
		for (const [guestLink, people] of [
			[first, zurich],
			[second, berlin],
		] as const) {
			for (const { name, email } of people) {
				const mail = await run.mailTo(email);
				expect([mail.subject, mail.links]).toStrictEqual([invitation, [guestLink]]);
				expect(linesOf(mail)[0]).toBe(`Hello ${name},`);
			}
			const { webhook, request } = await stateOf(requestIdOf(guestLink));
			expect(webhook?.url.includes(`/webhook-waiting/${run.executionId}/data-collection`)).toBe(
				true,
			);
			expect(request.minimumParticipants).toBe(2);
		}

		// Neither one of two requests nor a forgery ends the wait.
		await bothAnswer(first, 'Address of ');
		await forge(requestIdOf(second));
		expect(await run.status()).toBe('waiting');
		for (const person of berlin) await fillInForm(second, person, `Address of ${person.name}`);
		const execution = await run.ended();
		expect(
			outputOf(execution, waiting).map(({ name, timedOut, shareStatus }) => [
				...[name ?? null, timedOut, shareStatus],
			]),
		).toStrictEqual(everybody.map(() => [null, false, 'completed']));
		expect(addresses(execution)).toStrictEqual(allAddresses);
		expect((await run.mails()).length).toBe(4);
	});
	together('reminders are sent, and then it waits for all again', async () => {
		const run = await start('reminded', shortly(waiting));
		await run.waits();
		await join(await run.linkOf(ada.email), ada);
		await until(
			'the second wait',
			async () => runsOf(await rest.getExecution(run.executionId), decision) === 1,
			waitTracker,
		);
		await run.waits();
		for (const { email } of [ben, ...berlin]) {
			expect(await subjectsTo(run, email)).toStrictEqual([invitation, reminder]);
		}
		expect(await subjectsTo(run, ada.email)).toStrictEqual([invitation]);
		const mail = (await run.mails('dan@example.com')).at(-1);
		expect(mail?.links).toStrictEqual([await run.linkOf('dan@example.com')]);
		expect(mail?.text).toMatch(/You have not opened the form/);

		await allAnswer(run);
		expect(addresses(await run.ended())).toStrictEqual(allAddresses);
		expect(await run.mails(office)).toStrictEqual([]);
	});

	together('nobody answers: the office is told after the last reminder', async () => {
		const run = await start('nobody', (file) =>
			withText(shortly(waiting)(file), '$runIndex < 3', '$runIndex < 0'),
		);
		await run.waits();
		await bothAnswer(await run.linkOf(ada.email));
		const execution = await run.ended();
		expect(outputOf(execution, waiting)[0]?.timedOut).toBe(true);
		const mail = await run.mailTo(office);
		expect(mail.subject).toBe('The forms about the new offices are not complete');
		expect(mail.links).toStrictEqual([await run.linkOf('dan@example.com')]);
		const runs = ['Email a reminder', collecting, decision].map((node) => runsOf(execution, node));
		expect(runs).toStrictEqual([0, 0, 1]);
	});
});

describe('the example no-public-address', () => {
	const start = startsOf('no-public-address');
	const looking = 'Look, and wait a little';

	together(
		'the service is given no address, and the answers are collected all the same',
		async () => {
			const run = await start('collect', shortly(looking));
			await run.waits();
			const guestLink = await run.linkOf(ada.email);
			expect(await run.linkOf(ben.email)).toBe(guestLink);
			await bothAnswer(guestLink, 'Address of ');
			const execution = await run.ended();
			const { webhook, deliveries } = await stateOf(requestIdOf(guestLink));
			expect(webhook?.url ?? null).toBe(null);
			expect(deliveries).toStrictEqual([]);
			const sent = Object.keys(run.front.of('POST')[0]?.body ?? {});
			expect(sent.filter((name) => name.startsWith('webhook'))).toStrictEqual([]);
			expect(runsOf(execution, looking)).toBeGreaterThanOrEqual(2);
			const expected = [ada, ben].map(({ name }) => `Address of ${name}`);
			expect(addresses(execution)).toStrictEqual(expected);
			expect((await run.mails()).length).toBe(2);
		},
	);

	together('after the deadline the office is told, and it looks no longer', async () => {
		const deadline = { id: 'past', name: 'deadline', type: 'string', value: '={{ $now.toISO() }}' };
		const assignments = { assignments: [deadline] };
		const run = await start('deadline', (file) =>
			withNode(shortly(looking)(file), 'Say until when', { assignments }),
		);
		const execution = await run.ended();
		expect(outputOf(execution, looking)[0]?.timedOut).toBe(true);
		expect([runsOf(execution, looking), runsOf(execution, collecting)]).toStrictEqual([1, 0]);
		const mail = await run.mailTo(office);
		expect(mail.subject).toBe('The form about the team day is not complete');
		expect(mail.links).toStrictEqual([await run.linkOf(ada.email)]);
	});
});

describe('the example many-at-once', () => {
	const start = startsOf('many-at-once');
	const waiting = 'Wait for all';
	const people = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva'].map((name) => ({
		name: `${name} Example`,
		email: `${name.toLowerCase()}@example.com`,
	}));

	together(
		'five people get links of their own; when the last has answered, one summary leaves',
		async () => {
			const run = await start('all');
			await run.waits();
			const links = await Promise.all(people.map(({ email }) => run.linkOf(email)));
			expect(new Set(links).size).toBe(people.length);
			// Out of order: the order of the answers must not matter.
			for (const index of [4, 2, 0, 1, 3]) {
				expect(await run.status()).toBe('waiting');
				await fillInForm(links[index] ?? '', people[index], `Offer ${index + 1}`);
			}
			const execution = await run.ended();
			expect(
				outputOf(execution, waiting).map(({ requestId, timedOut }) => [requestId, timedOut]),
			).toStrictEqual(links.map((link) => [requestIdOf(link), false]));
			const mail = await run.mailTo(office);
			expect(mail.subject).toBe('5 of 5 offers have arrived');
			expect(
				linesOf(mail).filter((line) => /^\w+@example.com: |^Delivery/.test(line)),
			).toStrictEqual(
				people.flatMap(({ email }, index) => [
					`${email}: completed`,
					`Delivery address: Offer ${index + 1}`,
				]),
			);
			expect((await run.mails()).length).toBe(people.length + 1);
		},
	);

	together('the time runs out: the summary says whose offer is missing', async () => {
		const run = await start('some', shortly(waiting));
		await run.waits();
		for (const person of people.slice(0, 2)) {
			await fillInForm(await run.linkOf(person.email), person, 'An offer');
		}
		const items = outputOf(await run.ended(), waiting);
		expect(items.map(({ timedOut }) => timedOut)).toStrictEqual(people.map(() => true));
		const mail = await run.mailTo(office);
		expect(mail.subject).toBe('2 of 5 offers have arrived');
		expect(linesOf(mail).filter((line) => /^\w+@example.com: /.test(line))).toStrictEqual(
			people.map(({ email }, index) => `${email}: ${index < 2 ? 'completed' : 'open'}`),
		);
	});
});
