import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { shareStatusOf } from './collectionRequests.mts';
import { NOT_FOUND } from './errors.mts';
import { findPersonProblems, readAnswers, readPerson } from './guestInput.mts';
import * as show from './guestViews.mts';
import type { Environment } from './options.mts';
import type { Participation } from './participation.mts';
import { findProblems } from './questions.mts';
import { ref } from './schemas/describe.mts';
import type { Store } from './store.mts';
import { findRequest } from './store.mts';
import type { Guest, StoredRequest } from './types.mts';

interface ById {
	Params: { id: string };
}

interface ByToken {
	Params: { id: string; token: string };
}

const fields = (description: string) => ({ body: { type: 'object', description } });
const redirect = { 303: { description: 'Go on at the address in Location', type: 'null' } };
const page = (summary: string, statuses: readonly number[], more: object = {}) => ({
	tags: ['guest'],
	summary,
	consumes: ['application/x-www-form-urlencoded'],
	response: {
		...('body' in more ? redirect : {}),
		...Object.fromEntries(
			statuses.map((status) => [
				status,
				{ description: 'A page', content: { 'text/html': { schema: { type: 'string' } } } },
			]),
		),
	},
	...more,
});
const oneStep = {
	tags: ['guest'],
	summary: 'For scripts: join and submit in one step',
	description: 'Responds with JSON if Accept names application/json, else as the guest page does.',
	consumes: ['application/json', 'application/x-www-form-urlencoded'],
	body: ref('JoinAndSubmit'),
	response: {
		200: {
			description: 'Submitted',
			type: 'object',
			required: ['shareStatus'],
			properties: { shareStatus: { type: 'string' } },
		},
		...redirect,
		400: { ...ref('Error'), description: 'Details or answers are missing or wrong' },
		404: { ...ref('Error'), description: 'There is no such collection request' },
		409: { ...ref('Error'), description: 'It is complete, or all places are taken' },
	},
};

/** Where guest links lead (Guest link), for the prefix `/request`; works without JavaScript. */
export async function registerGuestPage(
	app: FastifyInstance,
	store: Store,
	environment: Environment,
	participation: Participation,
): Promise<void> {
	await app.register(formbody);
	const requestOf = (id: string) => findRequest(store, environment, id);
	const guestOf = ({ id, token }: ByToken['Params']) => {
		const request = requestOf(id);
		const guest = request?.guests.find((candidate) => candidate.token === token);
		return request && guest ? { request, guest } : undefined;
	};

	/** The guest who has joined; otherwise a page that says why not has been sent. */
	async function join(request: StoredRequest, body: unknown, reply: FastifyReply) {
		const person = readPerson(body);
		const problems = findPersonProblems(person);
		const joined = problems.size > 0 ? undefined : participation.join(request, person);
		if (joined?.kind === 'joined') return joined.guest;
		if (joined?.kind === 'full') await show.showFull(reply, request);
		else if (joined) await show.showCompleted(reply, request, 409);
		else await show.showJoin(reply, request, person, problems);
		return undefined;
	}

	async function submit(request: StoredRequest, guest: Guest, body: unknown, reply: FastifyReply) {
		const answers = readAnswers(body);
		const submitted = participation.submit(request, guest, answers);
		if (submitted.kind === 'completed') return await show.showCompleted(reply, request, 409);
		if (submitted.kind === 'invalid') {
			return await show.showAnswers(reply, request, guest, answers, submitted.problems);
		}
		return await reply.redirect(show.answersPath(request, guest), 303);
	}

	const firstPage = page('Guest link: name and email address', [200, 404]);
	app.get<ById>('/:id', { schema: firstPage }, async ({ params }, reply) => {
		const request = requestOf(params.id);
		if (!request) return await show.showUnknown(reply);
		if (shareStatusOf(request) === 'completed')
			return await show.showCompleted(reply, request, 200);
		return await show.showJoin(reply, request);
	});

	const named = fields('`name` and `email`');
	const joinSchema = page('Join; with the same email address, continue', [400, 404, 409], named);
	app.post<ById>(
		'/:id/join',
		{ schema: joinSchema, attachValidation: true },
		async ({ params, body }, reply) => {
			const request = requestOf(params.id);
			if (!request) return await show.showUnknown(reply);
			const guest = await join(request, body, reply);
			return guest ? await reply.redirect(show.answersPath(request, guest), 303) : reply;
		},
	);
	// Reloading the address of a refused join starts again.
	app.get<ById>('/:id/join', { schema: { hide: true } }, async ({ params }, reply) => {
		return await reply.redirect(
			`${environment.prefix}/request/${encodeURIComponent(params.id)}`,
			303,
		);
	});

	const secondPage = page('The questions, or the thank-you page after submitting', [200, 404]);
	app.get<ByToken>('/:id/answers/:token', { schema: secondPage }, async ({ params }, reply) => {
		const found = guestOf(params);
		if (!found) return await show.showUnknown(reply);
		const { request, guest } = found;
		if (guest.submittedAt !== null) return await show.showThanks(reply, request, guest);
		if (shareStatusOf(request) === 'completed')
			return await show.showCompleted(reply, request, 200);
		return await show.showAnswers(reply, request, guest);
	});

	const answered = fields('`answers[<label>]` for each question');
	app.post<ByToken>(
		'/:id/answers/:token',
		{ schema: page('Submit the answers', [400, 404, 409], answered), attachValidation: true },
		async ({ params, body }, reply) => {
			const found = guestOf(params);
			if (!found) return await show.showUnknown(reply);
			return await submit(found.request, found.guest, body, reply);
		},
	);

	app.post<ById>('/:id', { schema: oneStep, attachValidation: true }, async (call, reply) => {
		const isJson = call.headers.accept?.includes('application/json') === true;
		const request = requestOf(call.params.id);
		if (!request) {
			return isJson ? await reply.code(404).send(NOT_FOUND) : await show.showUnknown(reply);
		}
		if (isJson) return await submitJson(request, participation, call.body, reply);
		const guest = await join(request, call.body, reply);
		return guest ? await submit(request, guest, call.body, reply) : reply;
	});
}

/** Joins and submits at once; nothing changes unless all is accepted. */
async function submitJson(
	request: StoredRequest,
	participation: Participation,
	body: unknown,
	reply: FastifyReply,
) {
	const person = readPerson(body);
	const answers = readAnswers(body);
	const problems = [...findPersonProblems(person).values(), ...findProblems(answers).values()];
	if (problems.length > 0) {
		return await reply.code(400).send({ code: 'invalid_body', message: problems.join(' ') });
	}
	const joined = participation.join(request, person);
	if (joined.kind === 'full') {
		const { title, text } = show.fullWords(request);
		return await reply.code(409).send({ code: 'full', message: `${title}. ${text}` });
	}
	const outcome =
		joined.kind === 'joined' ? participation.submit(request, joined.guest, answers) : joined;
	if (outcome.kind === 'completed') {
		const message = 'The collection request is complete: nothing more can be added.';
		return await reply.code(409).send({ code: 'completed', message });
	}
	return await reply.send({ shareStatus: shareStatusOf(request) });
}
