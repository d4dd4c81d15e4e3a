import formbody from '@fastify/formbody';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { sendPage } from '../shared/http/pages.mts';
import { guestPath, shareStatusOf, topicOf } from './collectionRequests.mts';
import type { Environment } from './environments.mts';
import { refuse } from './errors.mts';
import { findProblems, questions, readEntered, type Entered } from './guestInput.mts';
import { COMPLETED } from './participation.mts';
import { ErrorBody } from './schemas/api.mts';
import { record, ref, text } from './schemas/describe.mts';
import { findRequest, type StoredRequest } from './store.mts';

type ById = { Params: { id: string } };

const submitting = {
	tags: ['guest'],
	summary: 'Answer as a guest',
	description: 'Responds with JSON if Accept names application/json, else with a page.',
	consumes: ['application/json', 'application/x-www-form-urlencoded'],
	body: record('As a form, an answer is the field `answers[<label>]`', {
		name: Type.Optional(text('Name')),
		email: Type.Optional(text('Email address')),
		answers: Type.Optional(Type.Record(Type.String(), text('The answer to the question'))),
	}),
	response: {
		200: Type.Object({ shareStatus: text('The status now') }, { description: 'Submitted' }),
		400: ref(ErrorBody, 'Details or answers are missing or wrong'),
		404: ref(ErrorBody, 'There is no such collection request'),
		409: ref(ErrorBody, 'It is complete, or all places are taken'),
	},
};

const UNKNOWN = 'We cannot find this request. The link may be incomplete or out of date.';

/** What to do about a refusal, by error code. */
const advice = {
	not_found: 'Check that you opened the complete link, or ask for a new one.',
	completed: 'If you wanted to change something, ask the person who sent you the link.',
	full: 'Ask the person who sent you the link.',
};

type Refused = { statusCode: number; code: keyof typeof advice; message: string };

const isRefused = (error: FastifyError): error is FastifyError & Refused =>
	Object.hasOwn(advice, error.code);

const wantsJson = ({ method, headers }: FastifyRequest) =>
	method === 'POST' && headers.accept?.includes('application/json') === true;

/** The target of guest links (Guest link), under `/request`: one form. Works without JavaScript. */
export const guestPage: FastifyPluginAsyncTypebox<{ environment: Environment }> = async (
	app,
	{ environment },
) => {
	const { store, participation } = app;
	await app.register(formbody);
	// The page shows problems beside the fields instead.
	app.setValidatorCompiler(() => () => true);
	app.setErrorHandler<FastifyError>(async (error, call, reply) => {
		if (wantsJson(call) || !isRefused(error)) throw error;
		const request = findRequest(store, environment, (call.params as ById['Params']).id);
		return await showRefusal(reply, error, request);
	});
	const requestOf = (id: string) =>
		findRequest(store, environment, id) ?? refuse(404, 'not_found', UNKNOWN);

	app.get<ById>('/:id', { schema: { hide: true } }, async ({ params }, reply) => {
		const request = requestOf(params.id);
		const isOver = { statusCode: 200, code: 'completed', message: COMPLETED } as const;
		return shareStatusOf(request) === 'completed'
			? await showRefusal(reply, isOver, request)
			: await showForm(reply, request);
	});

	app.post<ById>('/:id', { schema: submitting }, async (call, reply) => {
		const request = requestOf(call.params.id);
		const entered = readEntered(call.body);
		const problems = findProblems(entered);
		if (problems.size > 0 && wantsJson(call)) {
			refuse(400, 'invalid_body', [...problems.values()].join(' '));
		}
		if (problems.size > 0) return await showForm(reply, request, entered, problems);
		participation.submit(request, participation.join(request, entered), entered.answers);
		const shareStatus = shareStatusOf(request);
		return wantsJson(call) ? { shareStatus } : await showThanks(reply, request, entered);
	});
};

/** The form; with problems, the same page again with status 400. */
async function showForm(
	reply: FastifyReply,
	request: StoredRequest,
	{ name, email, answers }: Entered = readEntered({}),
	problems: ReadonlyMap<string, string> = new Map(),
) {
	const person = { hint: '', rows: 1, isMandatory: true };
	const asked = questions.map((question, index) => ({
		...question,
		id: `answer-${index + 1}`,
		name: `answers[${question.label}]`,
		type: question.autocomplete === 'tel' ? 'tel' : 'text',
		hint: question.isMandatory ? '' : 'optional',
		value: answers.get(question.label) ?? '',
		error: problems.get(question.label),
	}));
	const fields = [
		{
			...{ ...person, id: 'name', name: 'name', label: 'Your name', type: 'text' },
			...{ autocomplete: 'name', value: name, error: problems.get('name') },
		},
		{
			...{ ...person, id: 'email', name: 'email', label: 'Email address', type: 'email' },
			...{ autocomplete: 'email', value: email, error: problems.get('email') },
		},
		...asked,
	];
	const failed = fields.filter(({ error }) => error);
	return await sendPage(reply, failed.length > 0 ? 400 : 200, 'service/pages/form', {
		// A template's name would mean nothing to guests.
		title: topicOf(request) ?? 'We have some questions for you',
		action: guestPath(request),
		focus: (failed[0] ?? fields[0])?.id,
		...{ fields, failed },
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
