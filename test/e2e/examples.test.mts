import assert from 'node:assert/strict';
import { formUrl, triggerUrl } from '../../sandbox/n8n/examples.mts';
import { outputOf, type Workflow } from '../../sandbox/n8n/types.mts';
import { n8nUrl, serviceUrl } from '../support/environment.mts';
import { countExecutions, newestExecutions } from '../support/executions.mts';
import { linesOf, openBench, withNode, type ExampleBench } from '../support/examples.mts';
import { fillInForm, requestOf, stateOf } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';

const ada = { name: 'Ada Example', email: 'ada@example.com' };
const ben = { name: 'Ben Example', email: 'ben@example.com' };

describe('the example form-to-email, with completed-to-rows behind it', () => {
	let bench: ExampleBench;
	let form: Workflow;
	let rows: Workflow;
	beforeAll(async () => {
		bench = await openBench('form');
		rows = await bench.load('completed-to-rows');
		form = await bench.load('form-to-email', { webhookUrl: triggerUrl(n8nUrl, rows) });
	});
	afterAll(() => bench.close());

	/** Submits n8n's form as its page does; the fields are those of the page, in order. */
	const submit = async (fields: string[], workflow = form) => {
		const body = new FormData();
		for (const [index, value] of fields.entries()) body.append(`field-${index}`, value);
		return await fetch(String(formUrl(n8nUrl, workflow)), { method: 'POST', body });
	};
	const people = [ada.name, ada.email, ben.name, ben.email];

	test('the page asks for a topic, a name and two to four people', async () => {
		const page = await (await fetch(String(formUrl(n8nUrl, form)))).text();
		for (const label of ['What is it about?', 'Your name', 'Participant 4: email']) {
			assert.ok(page.includes(label), label);
		}
		assert.ok(page.includes('Send the emails'));
		assert.equal((page.match(/type=['"]email['"]/g) ?? []).length, 4);
	});

	test('two people each get a mail of their own with the guest link', async () => {
		const answer = await submit(['Neues Büro', 'Mara Example', ...people]);
		assert.equal(answer.status, 200, await answer.text());
		const { guestLink, request } = await requestOf('Neues Büro');
		assert.equal(guestLink, `${serviceUrl}/request/${request._id}`);
		assert.equal(form.nodes.filter(({ type }) => !type.endsWith('.stickyNote')).length, 3);
		assert.equal(request.minimumParticipants, 2);
		assert.equal(request.maximumParticipants, 2);
		for (const { name, email } of [ada, ben]) {
			const [mail, ...more] = await bench.mailsTo(email);
			assert.ok(mail);
			assert.equal(more.length, 0);
			assert.equal(mail.from, 'Data Collection <data-collection@example.com>');
			assert.deepEqual(mail.to, [email]);
			assert.equal(mail.subject, 'Mara Example asks you to fill in a form: Neues Büro');
			assert.deepEqual(mail.links, [guestLink]);
			assert.deepEqual(linesOf(mail), [
				`Hello ${name},`,
				'Mara Example asks you and others to fill in a form together. It is about: Neues Büro',
				'Please open this link and answer the questions. If it asks who you are, use this email address.',
				guestLink,
				'The link is the same for all of you. The form is complete when everybody has answered.',
				'You receive this email because Mara Example has entered your address. If you did not expect it, ask Mara Example before you open the link.',
			]);
		}
	});

	test('both open the link of their mail and answer: the request is completed', async () => {
		for (const person of [ada, ben]) {
			const [mail] = await bench.mails(person.email);
			await fillInForm(mail?.links[0] ?? '', person, `Address of ${person.name}`);
		}
		const { request } = await requestOf('Neues Büro');
		const { share } = await stateOf(request._id);
		assert.equal(share?.status, 'completed');
	});

	test('that starts the other example, which has the topic and both addresses in its rows', async () => {
		await until('completed-to-rows has started', async () =>
			(await countExecutions(bench.rest, rows.id)) > 0 ? true : undefined,
		);
		const [execution] = await newestExecutions(bench.rest, rows.id, 1);
		assert.ok(execution);
		const added = outputOf(execution, 'Put the rows into the table');
		const answers = added.flatMap(({ topic, answer }) =>
			answer === '' ? [] : [{ topic, answer }],
		);
		assert.deepEqual(answers, [
			{ topic: 'Neues Büro', answer: 'Address of Ada Example' },
			{ topic: 'Neues Büro', answer: 'Address of Ben Example' },
		]);
		assert.equal(await countExecutions(bench.rest, rows.id), 1);
	});

	test('a third person without a name is greeted by address', async () => {
		const cleo = ['', 'cleo@example.com'];
		const answer = await submit(['Trip', 'Mara Example', ...people, ...cleo]);
		assert.equal(answer.status, 200, await answer.text());
		const [mail] = await bench.mailsTo('cleo@example.com');
		assert.ok(mail);
		const [greeting, sentence] = linesOf(mail);
		assert.equal(greeting, 'Hello cleo@example.com,');
		assert.match(String(sentence), /^Mara Example asks you and others to fill in/);
		assert.equal((await requestOf('Trip')).request.minimumParticipants, 3);
		assert.equal((await bench.mails()).length, 5);
	});

	test('without a trigger and with nobody to notify, the emails are sent all the same', async () => {
		const workflow = await bench.load('form-to-email', {
			change: (file) => withNode(file, 'Create the collection request', { notify: 'none' }),
		});
		const answer = await submit(['Nobody', 'Mara Example', 'Dan', 'dan@example.com'], workflow);
		assert.equal(answer.status, 200, await answer.text());
		const [mail] = await bench.mailsTo('dan@example.com');
		const { webhook } = await stateOf(mail?.links[0]?.split('/').at(-1) ?? '');
		assert.equal(webhook?.url ?? null, null);
	});

	test('a name that looks like a mail header changes neither receiver nor subject', async () => {
		const bad = 'Eve\r\nBcc: spy@example.com, <b>"x"</b>';
		const answer = await submit(['Header', bad, bad, 'eve@example.com', ben.name, ben.email]);
		assert.equal(answer.status, 200, await answer.text());
		const [mail] = await bench.mailsTo('eve@example.com');
		assert.ok(mail);
		assert.deepEqual(mail.to, ['eve@example.com']);
		assert.match(mail.subject, /: Header$/);
		assert.deepEqual(await bench.mails('spy@example.com'), []);
		assert.equal(mail.html, '');
	});

	test('a refusal of the service is not reported as sent, and nobody gets a mail', async () => {
		const { dataCollection, smtp } = bench.credentials;
		const { data } = await bench.rest.getCredential(dataCollection.id);
		const wrong = { ...data, apiKey: 'not-the-key-of-the-sandbox', tokenId: 'not-the-token-id' };
		const refused = await bench.rest.createCredential('E2E refused', dataCollection.type, {
			...wrong,
			webhookSecret: 'whsec-of-a-refused-credential',
		});
		const credentials = { dataCollection: refused, smtp };
		const webhookUrl = triggerUrl(n8nUrl, rows);
		const workflow = await bench.load('form-to-email', { credentials, webhookUrl });
		const before = (await bench.mails()).length;
		const answer = await submit(['Refused', 'Mara Example', ...people], workflow);
		assert.equal(answer.status, 500);
		const [execution] = await newestExecutions(bench.rest, workflow.id, 1);
		assert.equal(execution?.status, 'error');
		assert.equal((await bench.mails()).length, before);
	});
});
