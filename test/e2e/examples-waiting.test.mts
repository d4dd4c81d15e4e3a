import { outputOf, runsOf, type Execution, type WorkflowFile } from '../../sandbox/n8n/types.mts';
import { linesOf, office, startsOf, together, withNode, withText } from '../support/examples.mts';
import { ada, ben, bothAnswer, fillInForm, stateOf } from '../support/sandboxService.mts';

const collecting = 'Collect the answers';

const requestIdOf = (guestLink: string) => guestLink.split('/').at(-1) ?? '';
/** The addresses in the output of Get Answers. */
const addresses = (execution: Execution) =>
	outputOf(execution, collecting).flatMap(({ label, value }) =>
		label === 'Delivery address' ? [value] : [],
	);
/** Limits a node's waits: long enough for all that comes before the wait on a busy machine. */
const shortly = (node: string) => (file: WorkflowFile) =>
	withNode(file, node, { resumeAmount: 10, resumeUnit: 'seconds' });

describe('the example no-public-address', () => {
	const start = startsOf('no-public-address');
	const looking = 'Look, and wait a little';

	together({
		'the service is given no address, and the answers are collected all the same': async () => {
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
			expect(runsOf(execution, looking).length).toBeGreaterThanOrEqual(2);
			const expected = [ada, ben].map(({ name }) => `Address of ${name}`);
			expect(addresses(execution)).toStrictEqual(expected);
			expect((await run.mails()).length).toBe(2);
		},
		'after the last round the office is told, and it looks no longer': async () => {
			const run = await start('deadline', (file) =>
				withText(shortly(looking)(file), '$runIndex >= 1000', '$runIndex >= 0'),
			);
			const execution = await run.ended();
			expect(runsOf(execution, looking)).toMatchObject([[[], [{ timedOut: true }]]]);
			expect(runsOf(execution, collecting)).toStrictEqual([]);
			const mail = await run.mailTo(office);
			expect(mail.subject).toBe('The form about the team day is not complete');
			expect(mail.links).toStrictEqual([await run.linkOf(ada.email)]);
		},
	});
});

describe('the example many-at-once', () => {
	const start = startsOf('many-at-once');
	const waiting = 'Wait for all';
	const people = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva'].map((name) => ({
		name: `${name} Example`,
		email: `${name.toLowerCase()}@example.com`,
	}));

	together({
		'five people get links of their own; when the last has answered, one summary leaves':
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

		'the time runs out: the summary says whose offer is missing': async () => {
			const run = await start('some', shortly(waiting));
			await run.waits();
			for (const person of people.slice(0, 2)) {
				await fillInForm(await run.linkOf(person.email), person, 'An offer');
			}
			const outputs = runsOf(await run.ended(), waiting);
			expect(outputs).toMatchObject([[[], people.map(() => ({ timedOut: true }))]]);
			const mail = await run.mailTo(office);
			expect(mail.subject).toBe('2 of 5 offers have arrived');
			expect(linesOf(mail).filter((line) => /^\w+@example.com: /.test(line))).toStrictEqual(
				people.map(({ email }, index) => `${email}: ${index < 2 ? 'completed' : 'open'}`),
			);
		},
	});
});
