import formbody from '@fastify/formbody';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { shareStatusOf } from './collectionRequests.mts';
import type { Environment } from './environments.mts';
import { refuse } from './errors.mts';
import { findPersonProblems, findProblems, readAnswers, readPerson } from './guestInput.mts';
import * as show from './guestViews.mts';
import { COMPLETED } from './participation.mts';
import { ErrorBody } from './schemas/api.mts';
import { record, ref, text } from './schemas/describe.mts';
import { findRequest, type StoredGuest, type StoredRequest } from './store.mts';

type ById = { Params: { id: string } };
type ByToken = { Params: { id: string; token: string } };
type Joined = [StoredRequest, StoredGuest];

const oneStep = {
	tags: ['guest'],
	summary: 'For scripts: join and submit in one step',
	description: 'Responds with JSON if Accept names application/json, else as the guest page does.',
	consumes: ['application/json', 'application/x-www-form-urlencoded'],
	body: record('As a form, an answer is the field `answers[<label>]`', {
		name: Type.Optional(text('Name')),
		email: Type.Optional(text('Email address')),
		answers: Type.Optional(Type.Record(Type.String(), text('The answer to the question'))),
	}),
	response: {
		200: Type.Object({ shareStatus: text('The status now') }, { description: 'Submitted' }),
		303: { description: 'Continue at the address in Location', type: 'null' },
		400: ref(ErrorBody, 'Details or answers are missing or wrong'),
		404: ref(ErrorBody, 'There is no such collection request'),
		409: ref(ErrorBody, 'It is complete, or all places are taken'),
	},
};
const schema = { hide: true };

const UNKNOWN = 'We cannot find this request. The link may be incomplete or out of date.';

const isOver = { statusCode: 200, code: 'completed', message: COMPLETED } as const;

const wantsJson = ({ method, headers }: FastifyRequest) =>
	method === 'POST' && headers.accept?.includes('application/json') === true;

/** The target of guest links (Guest link), under `/request`; works without JavaScript. */
export const guestPage: FastifyPluginAsyncTypebox<{ environment: Environment }> = async (
	app,
	{ environment },
) => {
	const { store, participation } = app;
	await app.register(formbody);
	// The page shows problems beside the fields instead.
	app.setValidatorCompiler(() => () => true);
	app.setErrorHandler<FastifyError>(async (error, call, reply) => {
		if (wantsJson(call) || !show.isRefused(error)) throw error;
		const request = findRequest(store, environment, (call.params as ById['Params']).id);
		return await show.refusal(reply, error, request);
	});

	const requestOf = (id: string) =>
		findRequest(store, environment, id) ?? refuse(404, 'not_found', UNKNOWN);
	const guestOf = ({ id, token }: ByToken['Params']): Joined => {
		const request = requestOf(id);
		const guest = request.guests.find((candidate) => candidate.token === token);
		return [request, guest ?? refuse(404, 'not_found', UNKNOWN)];
	};

	/** The guest who has joined; undefined if a page with the problems has been sent instead. */
	async function join(request: StoredRequest, body: unknown, reply: FastifyReply) {
		const person = readPerson(body);
		const problems = findPersonProblems(person);
		if (problems.size === 0) return participation.join(request, person);
		await show.join(reply, request, person, problems);
		return undefined;
	}

	async function submit([request, guest]: Joined, body: unknown, reply: FastifyReply) {
		const answers = readAnswers(body);
		const problems = participation.submit(request, guest, answers);
		return problems.size > 0
			? await show.answers(reply, request, guest, answers, problems)
			: await reply.redirect(show.answersPath(request, guest), 303);
	}

	app.get<ById>('/:id', { schema }, async ({ params }, reply) => {
		const request = requestOf(params.id);
		return shareStatusOf(request) === 'completed'
			? await show.refusal(reply, isOver, request)
			: await show.join(reply, request);
	});

	app.post<ById>('/:id/join', { schema }, async ({ params, body }, reply) => {
		const request = requestOf(params.id);
		const guest = await join(request, body, reply);
		return guest ? await reply.redirect(show.answersPath(request, guest), 303) : reply;
	});
	// Reloading the page of a refused join starts over.
	app.get<ById>('/:id/join', { schema }, async ({ params: { id } }, reply) => {
		return await reply.redirect(`${environment.prefix}/request/${encodeURIComponent(id)}`, 303);
	});

	app.get<ByToken>('/:id/answers/:token', { schema }, async ({ params }, reply) => {
		const [request, guest] = guestOf(params);
		if (guest.submittedAt !== null) return await show.thanks(reply, request, guest);
		return shareStatusOf(request) === 'completed'
			? await show.refusal(reply, isOver, request)
			: await show.answers(reply, request, guest);
	});

	app.post<ByToken>('/:id/answers/:token', { schema }, async ({ params, body }, reply) => {
		return await submit(guestOf(params), body, reply);
	});

	app.post<ById>('/:id', { schema: oneStep }, async (call, reply) => {
		const { params, body } = call;
		const request = requestOf(params.id);
		if (!wantsJson(call)) {
			const guest = await join(request, body, reply);
			return guest ? await submit([request, guest], body, reply) : reply;
		}
		const person = readPerson(body);
		const answers = readAnswers(body);
		const problems = [...findPersonProblems(person).values(), ...findProblems(answers).values()];
		// Nothing changes unless everything is accepted.
		if (problems.length > 0) refuse(400, 'invalid_body', problems.join(' '));
		participation.submit(request, participation.join(request, person), answers);
		return { shareStatus: shareStatusOf(request) };
	});
};
