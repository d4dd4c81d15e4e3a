import formbody from '@fastify/formbody';
import type { FastifyError, FastifyPluginAsync, FastifyReply } from 'fastify';
import { sendPage } from '../shared/http/pages.mts';
import { guestPath, shareStatusOf, topicOf } from './collectionRequests.mts';
import { refuse, type Refusal } from './errors.mts';
import { findProblems, questions, readEntered, type Entered } from './guestInput.mts';
import { COMPLETED } from './participation.mts';
import type { StoredRequest } from './store.mts';

type ById = { Params: { id: string } };

const UNKNOWN = 'We cannot find this request. The link may be incomplete or out of date.';

/** What to do about a refusal, by error code. */
const advice: Partial<Record<Refusal, string>> = {
	not_found: 'Check that you opened the complete link, or ask for a new one.',
	completed: 'If you wanted to change something, ask the person who sent you the link.',
	full: 'Ask the person who sent you the link.',
};

type Refused = { statusCode: number; code: Refusal; message: string };

const isRefused = (error: FastifyError): error is FastifyError & Refused =>
	Object.hasOwn(advice, error.code);

/** The target of guest links (Guest link), under `/request`: a form, which works without JavaScript. */
export const guestPage: FastifyPluginAsync = async (app) => {
	await app.register(formbody);
	const { store, participation } = app;
	app.setErrorHandler<FastifyError>(async (error, call, reply) => {
		if (!isRefused(error)) throw error;
		const request = store.requests.get((call.params as ById['Params']).id);
		return await showRefusal(reply, error, request);
	});
	const requestOf = (id: string) => store.requests.get(id) ?? refuse('not_found', UNKNOWN);

	app.get<ById>('/:id', async ({ params }, reply) => {
		const request = requestOf(params.id);
		const isOver = { statusCode: 200, code: 'completed', message: COMPLETED } as const;
		return shareStatusOf(request) === 'completed'
			? await showRefusal(reply, isOver, request)
			: await showForm(reply, request);
	});

	app.post<ById>('/:id', async (call, reply) => {
		const request = requestOf(call.params.id);
		const entered = readEntered(call.body);
		const problems = findProblems(entered);
		if (problems.size > 0) return await showForm(reply, request, entered, problems);
		participation.submit(request, participation.join(request, entered), entered.answers);
		return await showThanks(reply, request, entered);
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

/** The page after submitting; it says whether others still have to submit. */
async function showThanks(reply: FastifyReply, request: StoredRequest, { name }: Entered) {
	const isCompleted = shareStatusOf(request) === 'completed';
	return await sendPage(reply, 200, 'service/pages/message', {
		topic: topicOf(request),
		title: `Thank you, ${name}`,
		text: isCompleted
			? 'Your answers have been submitted, and the form is complete.'
			: 'Your answers have been submitted. Other participants may still be answering.',
		advice: 'You can close this page.',
	});
}

/** Says why there is nothing to fill in; the message's first sentence is the heading. */
async function showRefusal(reply: FastifyReply, refused: Refused, request?: StoredRequest) {
	const { statusCode, code, message } = refused;
	const [title, text] = message.split('. ');
	const topic = request && topicOf(request);
	const page = { topic, title, text, advice: advice[code] };
	return await sendPage(reply, statusCode, 'service/pages/message', page);
}
