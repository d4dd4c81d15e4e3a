import formbody from '@fastify/formbody';
import type { FastifyError, FastifyPluginAsync, FastifyReply } from 'fastify';
import { sendPage } from '../shared/http/pages.mts';
import { guestPath, shareStatusOf, topicOf } from './collectionRequests.mts';
import { refuse } from './errors.mts';
import { findProblems, questions, readEntered, type Entered } from './guestInput.mts';
import { COMPLETED } from './participation.mts';
import type { StoredRequest } from './store.mts';

type ById = { Params: { id: string } };

const UNKNOWN =
	'We cannot find this request. The link may be incomplete or out of date: ask for a new one.';
const SUBMITTED = 'Your answers have been submitted. You can close this page.';

/** The target of guest links (Guest link), under `/request`: a form, which works without JavaScript. */
export const guestPage: FastifyPluginAsync = async (app) => {
	await app.register(formbody);
	const { store, participation } = app;
	app.setErrorHandler<FastifyError>(async ({ statusCode = 500, message }, call, reply) => {
		const request = store.requests.get((call.params as ById['Params']).id);
		return await showMessage(reply, statusCode, message.split('. '), request);
	});
	const requestOf = (id: string) => store.requests.get(id) ?? refuse('not_found', UNKNOWN);

	app.get<ById>('/:id', async ({ params }, reply) => {
		const request = requestOf(params.id);
		return shareStatusOf(request) === 'completed'
			? await showMessage(reply, 200, COMPLETED.split('. '), request)
			: await showForm(reply, request);
	});

	app.post<ById>('/:id', async (call, reply) => {
		const request = requestOf(call.params.id);
		const entered = readEntered(call.body);
		const problems = findProblems(entered);
		if (problems.size > 0) return await showForm(reply, request, entered, problems);
		participation.submit(request, participation.join(request, entered), entered.answers);
		return await showMessage(reply, 200, [`Thank you, ${entered.name}`, SUBMITTED], request);
	});
};

/** The form; with problems, the same page again with status 400. */
async function showForm(
	reply: FastifyReply,
	request: StoredRequest,
	{ name, email, answers }: Entered = readEntered({}),
	problems: ReadonlyMap<string, string> = new Map(),
) {
	const person = { rows: 1, isMandatory: true };
	const fields = [
		{ ...person, id: 'name', label: 'Your name', type: 'text', autocomplete: 'name', value: name },
		{
			...person,
			id: 'email',
			label: 'Email address',
			type: 'email',
			autocomplete: 'email',
			value: email,
		},
	].map((field) => ({ ...field, name: field.id, error: problems.get(field.id) }));
	const asked = questions.map((question, index) => ({
		...question,
		id: `answer-${index + 1}`,
		name: `answers[${question.label}]`,
		type: question.autocomplete === 'tel' ? 'tel' : 'text',
		value: answers.get(question.label) ?? '',
		error: problems.get(question.label),
	}));
	const hasErrors = problems.size > 0;
	return await sendPage(reply, hasErrors ? 400 : 200, 'service/pages/form', {
		// A template's name would mean nothing to guests.
		title: topicOf(request) ?? 'We have some questions for you',
		action: guestPath(request),
		fields: [...fields, ...asked],
		hasErrors,
	});
}

/** A page that only says something: the heading, and a text below it. */
async function showMessage(
	reply: FastifyReply,
	status: number,
	[title, text]: string[],
	request?: StoredRequest,
) {
	const topic = request && topicOf(request);
	return await sendPage(reply, status, 'service/pages/message', { topic, title, text });
}
