import { formUrl, triggerUrl } from '../../sandbox/n8n/examples.mts';
import { outputOf } from '../../sandbox/n8n/types.mts';
import { newId } from '../support/delivery.mts';
import { n8nUrl, serviceUrl } from '../support/environment.mts';
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
	expect(response.status).toBe(status);
};
/** Unique to this run: the service may still have collection requests from other runs. */
const [topic, trip] = [`Neues Büro ${newId()}`, `Trip ${newId()}`];
const people = [ada.name, ada.email, ben.name, ben.email];

test('two people each get a mail of their own with the guest link', async () => {
	await submit([topic, 'Mara Example', ...people]);
	const { guestLink, request } = await requestOf(topic);
	expect(guestLink).toBe(`${serviceUrl}/request/${request._id}`);
	expect(form.nodes.filter(({ type }) => !type.endsWith('.stickyNote')).length).toBe(3);
	expect(request).toMatchObject({ minimumParticipants: 2, maximumParticipants: 10 });
	for (const { name, email } of [ada, ben]) {
		const mail = await bench.mailTo(email);
		expect(mail.from).toBe('Data Collection <data-collection@example.com>');
		expect(mail.subject).toBe(`Mara Example asks you to fill in a form: ${topic}`);
		expect(mail.links).toStrictEqual([guestLink]);
		expect(linesOf(mail)).toStrictEqual([
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
	expect((await stateOf(request._id)).share?.status).toBe('completed');
	const added = outputOf(await newestExecution(rows.id), 'Put the rows into the table');
	expect(
		added.flatMap(({ topic: about, answer }) => (answer === '' ? [] : [[about, answer]])),
	).toStrictEqual([
		[topic, 'Address of Ada Example'],
		[topic, 'Address of Ben Example'],
	]);
	expect(await countExecutions(rows.id)).toBe(1);
});

test('a third person without a name is greeted by address', async () => {
	await submit([trip, 'Mara Example', ...people, '', 'cleo@example.com']);
	const [greeting, sentence] = linesOf(await bench.mailTo('cleo@example.com'));
	expect(greeting).toBe('Hello cleo@example.com,');
	expect(String(sentence)).toMatch(/^Mara Example asks you and others to fill in/);
	expect((await requestOf(trip)).request.minimumParticipants).toBe(3);
	expect((await bench.mails()).length).toBe(5);
});

test('a name that looks like a mail header changes neither receiver nor subject', async () => {
	const bad = 'Eve\r\nBcc: spy@example.com, <b>"x"</b>';
	await submit(['Header', bad, bad, 'eve@example.com', ben.name, ben.email]);
	const mail = await bench.mailTo('eve@example.com');
	expect(mail.subject).toMatch(/: Header$/);
	expect(await bench.mails('spy@example.com')).toStrictEqual([]);
	expect(mail.html).toBe('');
});

test('a refusal of the service is not reported as sent, and nobody gets a mail', async () => {
	const before = (await bench.mails()).length;
	bench.front.decide = () => ({ status: 401, body: {} });
	await submit(['Refused', 'Mara Example', ...people], 500);
	bench.front.decide = undefined;
	const [execution] = await newestExecutions(form.id, 1);
	expect(execution?.status).toBe('error');
	expect((await bench.mails()).length).toBe(before);
});
