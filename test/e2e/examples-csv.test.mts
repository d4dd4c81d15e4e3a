import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { outputOf, type Execution } from '../../sandbox/n8n/types.mts';
import { n8nUrl } from '../support/environment.mts';
import { linesOf, office, openBench, runFrom, withNode } from '../support/examples.mts';
import { stateOf } from '../support/sandboxService.mts';

const bench = await openBench('csv');
const { front } = bench;

const good = ['New office', 'Summer party', 'Travel, team North', 'Training day'];
const people = ['ada', 'ben', 'cleo', 'dan', 'gil', 'hana', 'ivo', 'jana'];
const webhookUrl = `${n8nUrl}/webhook/${randomUUID()}/webhook`;

const run = async (csv?: string): Promise<Execution> => {
	const workflow = await bench.load('csv-bulk', {
		webhookUrl,
		change: (file) => {
			if (csv === undefined) return file;
			const assignments = [{ id: 'only', name: 'csv', value: csv, type: 'string' }];
			const parameters = { assignments: { assignments } };
			return withNode(file, 'Write the list as CSV text', parameters);
		},
	});
	return await runFrom(workflow);
};
const linksOf = (execution: Execution) => outputOf(execution, 'Create one request per row');
const namesOf = (execution: Execution) =>
	linksOf(execution).map(({ email }) => String(email).replace('@example.com', ''));
const created = () => front.of('POST').map(({ body }) => body);

test('the four good rows are created, once each, and their people get the guest link', async () => {
	const execution = await run();
	const links = linksOf(execution);
	expect(namesOf(execution)).toStrictEqual(people);
	for (const [index, { requestId, email }] of links.entries()) {
		const { guestLink } = await stateOf(String(requestId));
		const mail = await bench.mailTo(String(email));
		expect(mail.links).toStrictEqual([guestLink]);
		const project = good[Math.floor(index / 2)] ?? '';
		expect(mail.subject).toBe(`${project}: please answer a few questions`);
	}
	expect(new Set(links.map(({ requestId }) => requestId)).size).toBe(good.length);
	const identifiers = created().map(({ webhookIdentifier }) => webhookIdentifier);
	expect(identifiers.sort()).toStrictEqual([...good].sort());
	const travel = created().find(({ webhookIdentifier }) => webhookIdentifier === good[2]);
	const { webhookSecret, ...body } = travel ?? {};
	expect(typeof webhookSecret).toBe('string');
	expect(body).toStrictEqual({
		templateId: 'e2e-template',
		minimumParticipants: 2,
		maximumParticipants: 2,
		participantList: [
			{ name: 'Gil Example', email: 'gil@example.com' },
			{ name: 'Hana Example', email: 'hana@example.com' },
		],
		webhookIdentifier: good[2],
		webhookUrl,
	});
});

test('one mail says which row is wrong and why', async () => {
	const mail = await bench.mailTo(office);
	expect((await bench.mails()).length).toBe(9);
	expect(mail.subject).toBe('1 of 5 rows could not be used');
	expect(linesOf(mail)).toStrictEqual([
		'Hello,',
		'The list had 5 rows. No request was created for one of them:',
		'- Car pool: Minimum Participants (3) is above Maximum Participants (2). Lower the minimum or raise the maximum.',
		'Requests were created for all other rows. Run a new list with only the corrected rows: if you run another row again, its request is created again and its participants are invited twice.',
	]);
});

test('a row that the service refuses is in the mail as well, and the others are created', async () => {
	front.seen.length = 0;
	front.decide = ({ method, body }) =>
		method === 'POST' && body.webhookIdentifier === 'Training day'
			? { status: 400, body: { message: 'Unknown template' } }
			: undefined;
	const execution = await run();
	front.decide = undefined;
	expect(namesOf(execution)).toStrictEqual(people.slice(0, 6));
	expect(created().length).toBe(good.length);
	const mail = (await bench.mailsTo(office, 2)).at(-1);
	assert.ok(mail);
	expect(mail.subject).toBe('2 of 5 rows could not be used');
	const [, intro, first, second] = linesOf(mail);
	expect(intro).toBe('The list had 5 rows. No request was created for 2 of them:');
	expect(String(first)).toMatch(/^- Car pool: Minimum Participants/);
	expect(String(second)).toMatch(/^- Training day: .*Unknown template/);
});
