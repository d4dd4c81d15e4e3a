import assert from 'node:assert/strict';
import { outputOf, type Execution, type WorkflowFile } from '../../sandbox/n8n/types.mts';
import { rest } from '../support/environment.mts';
import { linesOf, office, startsOf, withNode, withText } from '../support/examples.mts';
import { ada, ben, bothAnswer, fillInForm, forge, join } from '../support/sandboxService.mts';
import { stateOf, useHardMode } from '../support/sandboxService.mts';
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
/** Makes a node's waits expire at once; n8n notices within a minute. */
/** Long enough for all that comes before the wait on a busy machine. */
const shortly = (node: string) => (file: WorkflowFile) =>
	withNode(file, node, { resumeAmount: 10, resumeUnit: 'seconds' });

/** Waits end only once a minute, so all tests of this file start together, before the first. */
const bodies = new Map<string, () => Promise<void>>();
const running = new Map<string, Promise<void>>();
const hard: Array<[title: string, body: () => Promise<void>]> = [];
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
/** The same, and once more in hard mode, when all the others have ended. */
const inBothModes = (title: string, body: () => Promise<void>) => {
	together(title, body);
	hard.push([title, body]);
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

	inBothModes('all are invited, and the answers of all are collected', async () => {
		const run = await start('file');
		await run.waits();
		const [first = '', second = ''] = await links(run);
		assert.notEqual(first, second);
		for (const [guestLink, people] of [
			[first, zurich],
			[second, berlin],
		] as const) {
			for (const { name, email } of people) {
				const mail = await run.mailTo(email);
				assert.deepEqual([mail.subject, mail.links], [invitation, [guestLink]]);
				assert.equal(linesOf(mail)[0], `Hello ${name},`);
			}
			const { webhook, request } = await stateOf(requestIdOf(guestLink));
			assert.ok(webhook?.url.includes(`/webhook-waiting/${run.executionId}/data-collection`));
			assert.equal(request.minimumParticipants, 2);
		}

		// Neither one of two requests nor a forgery ends the wait.
		await bothAnswer(first, 'Address of ');
		await forge(requestIdOf(second));
		assert.equal(await run.status(), 'waiting');
		for (const person of berlin) await fillInForm(second, person, `Address of ${person.name}`);
		const execution = await run.ended();
		assert.deepEqual(
			outputOf(execution, waiting).map(({ name, timedOut, shareStatus }) => [
				...[name ?? null, timedOut, shareStatus],
			]),
			everybody.map(() => [null, false, 'completed']),
			'one item for each person',
		);
		assert.deepEqual(addresses(execution), allAddresses, 'each answer once');
		assert.equal((await run.mails()).length, 4);
	});

	const flipped = ([x, y]: [number, number]) => [x, -y];
	const upsideDown = (file: WorkflowFile): WorkflowFile => {
		const nodes = file.nodes.map((node) => ({
			...node,
			position: flipped(node.position as [number, number]),
		}));
		return { ...file, nodes };
	};
	for (const [title, arrange] of [
		['as it is', (file: WorkflowFile) => file],
		['upside down', upsideDown],
	] as const) {
		together(`${title}: reminders are sent, and then it waits for all again`, async () => {
			const run = await start(title.replaceAll(' ', '-'), (file) =>
				arrange(shortly(waiting)(file)),
			);
			await run.waits();
			await join(await run.linkOf(ada.email), ada);
			await until(
				'the second wait',
				async () => runsOf(await rest.getExecution(run.executionId), decision) === 1,
				waitTracker,
			);
			await run.waits();
			for (const { email } of [ben, ...berlin]) {
				assert.deepEqual(await subjectsTo(run, email), [invitation, reminder]);
			}
			assert.deepEqual(await subjectsTo(run, ada.email), [invitation], 'has joined');
			const mail = (await run.mails('dan@example.com')).at(-1);
			assert.deepEqual(mail?.links, [await run.linkOf('dan@example.com')]);
			assert.match(mail.text, /You have not opened the form/);

			await allAnswer(run);
			assert.deepEqual(addresses(await run.ended()), allAddresses, 'nobody is lost');
			assert.deepEqual(await run.mails(office), []);
		});
	}

	together('nobody answers: the office is told after the last reminder', async () => {
		const run = await start('nobody', (file) =>
			withText(shortly(waiting)(file), '$runIndex < 3', '$runIndex < 0'),
		);
		await run.waits();
		await bothAnswer(await run.linkOf(ada.email));
		const execution = await run.ended();
		assert.equal(outputOf(execution, waiting)[0]?.timedOut, true);
		const mail = await run.mailTo(office);
		assert.equal(mail.subject, 'The forms about the new offices are not complete');
		assert.deepEqual(mail.links, [await run.linkOf('dan@example.com')], 'only the open one');
		const runs = ['Email a reminder', collecting, decision].map((node) => runsOf(execution, node));
		assert.deepEqual(runs, [0, 0, 1]);
	});

	together(
		'all have joined and nobody has submitted: nobody is reminded, and it waits on',
		async () => {
			const run = await start('joined', shortly(waiting));
			await run.waits();
			for (const person of everybody) await join(await run.linkOf(person.email), person);
			const hasDecided = async () =>
				runsOf(await rest.getExecution(run.executionId), decision) === 1;
			await until('a decision', hasDecided, waitTracker);
			await run.waits();
			await allAnswer(run);
			assert.deepEqual(addresses(await run.ended()), allAddresses);
			assert.equal((await run.mails()).length, 4);
		},
	);
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
			assert.equal(await run.linkOf(ben.email), guestLink);
			await bothAnswer(guestLink, 'Address of ');
			const execution = await run.ended();
			const { webhook, deliveries } = await stateOf(requestIdOf(guestLink));
			assert.equal(webhook?.url ?? null, null);
			assert.deepEqual(deliveries, []);
			const sent = Object.keys(run.front.of('POST')[0]?.body ?? {});
			assert.deepEqual(
				sent.filter((name) => name.startsWith('webhook')),
				[],
			);
			assert.ok(runsOf(execution, looking) >= 2, 'a look that found nothing, and one that did');
			const expected = [ada, ben].map(({ name }) => `Address of ${name}`);
			assert.deepEqual(addresses(execution), expected);
			assert.equal((await run.mails()).length, 2);
		},
	);

	together('after the deadline the office is told, and it looks no longer', async () => {
		const deadline = { id: 'past', name: 'deadline', type: 'string', value: '={{ $now.toISO() }}' };
		const assignments = { assignments: [deadline] };
		const run = await start('deadline', (file) =>
			withNode(shortly(looking)(file), 'Say until when', { assignments }),
		);
		const execution = await run.ended();
		assert.equal(outputOf(execution, looking)[0]?.timedOut, true);
		assert.deepEqual([runsOf(execution, looking), runsOf(execution, collecting)], [1, 0]);
		const mail = await run.mailTo(office);
		assert.equal(mail.subject, 'The form about the team day is not complete');
		assert.deepEqual(mail.links, [await run.linkOf(ada.email)]);
	});
});

describe('the example many-at-once', () => {
	const start = startsOf('many-at-once');
	const waiting = 'Wait for all';
	const people = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva'].map((name) => ({
		name: `${name} Example`,
		email: `${name.toLowerCase()}@example.com`,
	}));

	inBothModes(
		'five people get links of their own; when the last has answered, one summary leaves',
		async () => {
			const run = await start('all');
			await run.waits();
			const links = await Promise.all(people.map(({ email }) => run.linkOf(email)));
			assert.equal(new Set(links).size, people.length);
			// Out of order: the order of the answers must not matter.
			for (const index of [4, 2, 0, 1, 3]) {
				assert.equal(await run.status(), 'waiting');
				await fillInForm(links[index] ?? '', people[index], `Offer ${index + 1}`);
			}
			const execution = await run.ended();
			assert.deepEqual(
				outputOf(execution, waiting).map(({ requestId, timedOut }) => [requestId, timedOut]),
				links.map((link) => [requestIdOf(link), false]),
			);
			const mail = await run.mailTo(office);
			assert.equal(mail.subject, '5 of 5 offers have arrived');
			assert.deepEqual(
				linesOf(mail).filter((line) => /^\w+@example.com: |^Delivery/.test(line)),
				people.flatMap(({ email }, index) => [
					`${email}: completed`,
					`Delivery address: Offer ${index + 1}`,
				]),
			);
			assert.equal((await run.mails()).length, people.length + 1);
		},
	);

	together('the time runs out: the summary says whose offer is missing', async () => {
		const run = await start('some', shortly(waiting));
		await run.waits();
		for (const person of people.slice(0, 2)) {
			await fillInForm(await run.linkOf(person.email), person, 'An offer');
		}
		const items = outputOf(await run.ended(), waiting);
		assert.deepEqual(
			items.map(({ timedOut }) => timedOut),
			people.map(() => true),
		);
		const mail = await run.mailTo(office);
		assert.equal(mail.subject, '2 of 5 offers have arrived');
		assert.deepEqual(
			linesOf(mail).filter((line) => /^\w+@example.com: /.test(line)),
			people.map(({ email }, index) => `${email}: ${index < 2 ? 'completed' : 'open'}`),
		);
	});
});

describe('in hard mode', () => {
	useHardMode();
	test.each(hard)('%s', async (_title, body) => await body());
});
