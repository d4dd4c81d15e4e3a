import assert from 'node:assert/strict';
import { formUrl, triggerUrl } from '../../sandbox/n8n/examples.mts';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { newId } from '../../sandbox/deployment/delivery.mts';
import { n8nUrl, rest, serviceUrl } from '../support/environment.mts';
import { linesOf, openBench } from '../support/examples.mts';
import { countExecutions, newestExecution, newestExecutions } from '../support/executions.mts';
import { ada, ben, fillInForm, requestOf, stateOf } from '../support/sandboxService.mts';

const bench = await openBench('form');
const rows = await bench.load('completed-to-rows');
const form = await bench.load('form-to-email', { webhookUrl: triggerUrl(n8nUrl, rows) });

/** Submits n8n's form as its page does, with the page's fields in order. */
const submit = async (fields: string[], status = 200) => {
	const body = new FormData();
	for (const [index, value] of fields.entries()) body.append(`field-${index}`, value);
	const response = await fetch(String(formUrl(n8nUrl, form)), { method: 'POST', body });
	assert.equal(response.status, status, await response.text());
};
/** Unique to this run: the service may still have collection requests from other runs. */
const [topic, trip] = [`Neues Büro ${newId()}`, `Trip ${newId()}`];
const people = [ada.name, ada.email, ben.name, ben.email];

test('two people each get a mail of their own with the guest link', async () => {
	await submit([topic, 'Mara Example', ...people]);
	const { guestLink, request } = await requestOf(topic);
	assert.equal(guestLink, `${serviceUrl}/request/${request._id}`);
	assert.equal(form.nodes.filter(({ type }) => !type.endsWith('.stickyNote')).length, 3);
	assert.deepEqual([request.minimumParticipants, request.maximumParticipants], [2, 10]);
	for (const { name, email } of [ada, ben]) {
		const mail = await bench.mailTo(email);
		assert.equal(mail.from, 'Data Collection <data-collection@example.com>');
		assert.equal(mail.subject, `Mara Example asks you to fill in a form: ${topic}`);
		assert.deepEqual(mail.links, [guestLink]);
		assert.deepEqual(linesOf(mail), [
			`Hello ${name},`,
			`Mara Example asks you and others to fill in a form together. It is about: ${topic}`,
			'Please open this link and answer the questions. If it asks who you are, use this email address.',
			guestLink,
			'The link is the same for all of you. The form is complete when everybody has answered.',
			'You are receiving this email because Mara Example entered your address. If you did not expect this email, ask Mara Example before you open the link.',
		]);
	}
});

test('both answer by the link of their mail: that starts the other example, which has the topic and both addresses in its rows', async () => {
	for (const person of [ada, ben]) {
		const { links } = await bench.mailTo(person.email);
		await fillInForm(links[0] ?? '', person, `Address of ${person.name}`);
	}
	const { request } = await requestOf(topic);
	assert.equal((await stateOf(request._id)).share?.status, 'completed');
	const added = outputOf(await newestExecution(rest, rows.id), 'Put the rows into the table');
	assert.deepEqual(
		added.flatMap(({ topic: about, answer }) => (answer === '' ? [] : [[about, answer]])),
		[
			[topic, 'Address of Ada Example'],
			[topic, 'Address of Ben Example'],
		],
	);
	assert.equal(await countExecutions(rest, rows.id), 1);
});

test('a third person without a name is greeted by address', async () => {
	await submit([trip, 'Mara Example', ...people, '', 'cleo@example.com']);
	const [greeting, sentence] = linesOf(await bench.mailTo('cleo@example.com'));
	assert.equal(greeting, 'Hello cleo@example.com,');
	assert.match(String(sentence), /^Mara Example asks you and others to fill in/);
	assert.equal((await requestOf(trip)).request.minimumParticipants, 3);
	assert.equal((await bench.mails()).length, 5);
});

test('a name that looks like a mail header changes neither receiver nor subject', async () => {
	const bad = 'Eve\r\nBcc: spy@example.com, <b>"x"</b>';
	await submit(['Header', bad, bad, 'eve@example.com', ben.name, ben.email]);
	const mail = await bench.mailTo('eve@example.com');
	assert.match(mail.subject, /: Header$/);
	assert.deepEqual(await bench.mails('spy@example.com'), []);
	assert.equal(mail.html, '');
});

test('a refusal of the service is not reported as sent, and nobody gets a mail', async () => {
	const before = (await bench.mails()).length;
	bench.front.decide = () => ({ status: 401, body: {} });
	await submit(['Refused', 'Mara Example', ...people], 500);
	bench.front.decide = undefined;
	const [execution] = await newestExecutions(rest, form.id, 1);
	assert.equal(execution?.status, 'error');
	assert.equal((await bench.mails()).length, before);
});
