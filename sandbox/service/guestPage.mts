import formbody from '@fastify/formbody';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { shareStatusOf } from './collectionRequests.mts';
import type { Environment } from './environments.mts';
import { missing, refuse } from './errors.mts';
import { findPersonProblems, findProblems, readAnswers, readPerson } from './guestInput.mts';
import * as show from './guestViews.mts';
import { ErrorBody } from './schemas/api.mts';
import { ref, text } from './schemas/describe.mts';
import { JoinAndSubmit } from './schemas/sandbox.mts';
import { findRequest, type StoredGuest, type StoredRequest } from './store.mts';

interface ById {
	Params: { id: string };
}

interface ByToken {
	Params: { id: string; token: string };
}

const form = 'application/x-www-form-urlencoded';
const redirect = { 303: { description: 'Go on at the address in Location', type: 'null' } };
const html = {
	description: 'A page',
	content: { 'text/html': { schema: { type: 'string' } } },
};
const describe = (summary: string, statuses: number[], body?: string) => ({
	tags: ['guest'],
	summary,
	consumes: [form],
	...(body && { body: { type: 'object', description: body } }),
	response: {
		...(body && redirect),
		...Object.fromEntries(statuses.map((status) => [status, html])),
	},
});
const oneStep = {
	tags: ['guest'],
	summary: 'For scripts: join and submit in one step',
	description: 'Responds with JSON if Accept names application/json, else as the guest page does.',
	consumes: ['application/json', form],
	body: ref(JoinAndSubmit),
	response: {
		200: Type.Object({ shareStatus: text('The status now') }, { description: 'Submitted' }),
		...redirect,
		400: ref(ErrorBody, 'Details or answers are missing or wrong'),
		404: ref(ErrorBody, 'There is no such collection request'),
		409: ref(ErrorBody, 'It is complete, or all places are taken'),
	},
};

const COMPLETED = 'The collection request is complete: nothing more can be added.';

const wantsJson = ({ method, headers }: FastifyRequest) =>
	method === 'POST' && headers.accept?.includes('application/json') === true;

/** Where guest links lead (Guest link), for the prefix `/request`; works without JavaScript. */
export const guestPage: FastifyPluginAsyncTypebox<{ environment: Environment }> = async (
	app,
	{ environment },
) => {
	const { store, participation } = app;
	await app.register(formbody);
	// What is wrong is said beside the fields.
	app.setValidatorCompiler(() => () => true);
	app.setErrorHandler<FastifyError>(async (error, call, reply) => {
		if (error.statusCode !== 404 || wantsJson(call)) throw error;
		return await show.unknown(reply);
	});
	const requestOf = (id: string) => findRequest(store, environment, id) ?? missing();
	const guestOf = ({ guests }: StoredRequest, token: string) =>
		guests.find((guest) => guest.token === token) ?? missing();

	/** The guest who has joined; otherwise a page that says why not has been sent. */
	async function join(request: StoredRequest, body: unknown, reply: FastifyReply) {
		const person = readPerson(body);
		const problems = findPersonProblems(person);
		const joined = problems.size > 0 ? undefined : participation.join(request, person);
		if (joined?.kind === 'joined') return joined.guest;
		if (joined) await show[joined.kind](reply, request, 409);
		else await show.join(reply, request, person, problems);
		return undefined;
	}

	async function submit(
		request: StoredRequest,
		guest: StoredGuest,
		body: unknown,
		reply: FastifyReply,
	) {
		const answers = readAnswers(body);
		const submitted = participation.submit(request, guest, answers);
		if (submitted.kind === 'invalid') {
			return await show.answers(reply, request, guest, answers, submitted.problems);
		}
		if (submitted.kind === 'completed') return await show.completed(reply, request, 409);
		return await reply.redirect(show.answersPath(request, guest), 303);
	}

	app.get<ById>(
		'/:id',
		{ schema: describe('Guest link: name and email address', [200, 404]) },
		async ({ params }, reply) => {
			const request = requestOf(params.id);
			const isOver = shareStatusOf(request) === 'completed';
			return isOver ? await show.completed(reply, request, 200) : await show.join(reply, request);
		},
	);

	const joining = 'Join; with the same email address, continue';
	app.post<ById>(
		'/:id/join',
		{ schema: describe(joining, [400, 404, 409], '`name` and `email`') },
		async ({ params, body }, reply) => {
			const request = requestOf(params.id);
			const guest = await join(request, body, reply);
			return guest ? await reply.redirect(show.answersPath(request, guest), 303) : reply;
		},
	);
	// Reloading the address of a refused join starts again.
	app.get<ById>('/:id/join', { schema: { hide: true } }, async ({ params: { id } }, reply) => {
		return await reply.redirect(`${environment.prefix}/request/${encodeURIComponent(id)}`, 303);
	});

	const answering = 'The questions, or the thank-you page after submitting';
	app.get<ByToken>(
		'/:id/answers/:token',
		{ schema: describe(answering, [200, 404]) },
		async ({ params }, reply) => {
			const request = requestOf(params.id);
			const guest = guestOf(request, params.token);
			if (guest.submittedAt !== null) return await show.thanks(reply, request, guest);
			const isOver = shareStatusOf(request) === 'completed';
			if (isOver) return await show.completed(reply, request, 200);
			return await show.answers(reply, request, guest);
		},
	);

	const fields = '`answers[<label>]` for each question';
	app.post<ByToken>(
		'/:id/answers/:token',
		{ schema: describe('Submit the answers', [400, 404, 409], fields) },
		async ({ params, body }, reply) => {
			const request = requestOf(params.id);
			return await submit(request, guestOf(request, params.token), body, reply);
		},
	);

	app.post<ById>('/:id', { schema: oneStep }, async (call, reply) => {
		const { params, body } = call;
		const request = requestOf(params.id);
		if (!wantsJson(call)) {
			const guest = await join(request, body, reply);
			return guest ? await submit(request, guest, body, reply) : reply;
		}
		const person = readPerson(body);
		const answers = readAnswers(body);
		const problems = [...findPersonProblems(person).values(), ...findProblems(answers).values()];
		// Nothing changes unless all is accepted.
		if (problems.length > 0) refuse(400, 'invalid_body', problems.join(' '));
		const joined = participation.join(request, person);
		if (joined.kind === 'full') {
			const { title, text } = show.fullWords(request);
			refuse(409, 'full', `${title}. ${text}`);
		}
		const { kind } =
			joined.kind === 'joined' ? participation.submit(request, joined.guest, answers) : joined;
		if (kind === 'completed') refuse(409, kind, COMPLETED);
		return { shareStatus: shareStatusOf(request) };
	});
};
