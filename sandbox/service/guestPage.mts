import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { shareStatusOf } from './collectionRequests.mts';
import { findPersonProblems, readAnswers, readPerson } from './guestInput.mts';
import * as show from './guestViews.mts';
import { registerOneStep } from './oneStep.mts';
import type { Participation } from './participation.mts';
import type { Store } from './store.mts';
import type { Guest, StoredRequest } from './types.mts';

interface ById {
	Params: { id: string };
}

interface ByToken {
	Params: { id: string; token: string };
}

const page = (summary: string, statuses: readonly number[]) => ({
	tags: ['guest'],
	summary,
	consumes: ['application/x-www-form-urlencoded'],
	response: Object.fromEntries(
		statuses.map((status) => [
			status,
			{ description: 'A page', content: { 'text/html': { schema: { type: 'string' } } } },
		]),
	),
});
const redirect = { 303: { description: 'Go on at the address in Location', type: 'null' } };
const fields = (description: string) => ({ type: 'object', description });

/** Where guest links lead (Guest link), for the prefix `/request`; works without JavaScript. */
export async function registerGuestPage(
	app: FastifyInstance,
	store: Store,
	participation: Participation,
): Promise<void> {
	await app.register(formbody);

	const firstPage = page('Guest link: name and email address', [200, 404]);
	app.get<ById>('/:id', { schema: firstPage }, async ({ params }, reply) => {
		const request = store.requests.get(params.id);
		if (!request) return await show.showUnknown(reply);
		if (shareStatusOf(request) === 'completed') return await show.showCompleted(reply, 200);
		return await show.showJoin(reply, request);
	});

	const joinPage = page('Join; with the same email address, continue', [400, 404, 409]);
	const joinSchema = {
		...joinPage,
		body: fields('`name` and `email`'),
		response: { ...redirect, ...joinPage.response },
	};
	app.post<ById>(
		'/:id/join',
		{ schema: joinSchema, attachValidation: true },
		async ({ params, body }, reply) => {
			const request = store.requests.get(params.id);
			if (!request) return await show.showUnknown(reply);
			const person = readPerson(body);
			const problems = findPersonProblems(person);
			if (problems.size > 0) return await show.showJoin(reply, request, person, problems);
			const joined = participation.join(request, person);
			if (joined.kind === 'full') return await show.showFull(reply, request);
			if (joined.kind === 'completed') return await show.showCompleted(reply, 409);
			return await reply.redirect(show.answersPath(request, joined.guest), 303);
		},
	);
	// Reloading the address of a refused join starts again.
	app.get<ById>('/:id/join', { schema: { hide: true } }, async ({ params }, reply) => {
		return await reply.redirect(`/request/${encodeURIComponent(params.id)}`, 303);
	});

	const secondPage = page('The questions, or the thank-you page after submitting', [200, 404]);
	app.get<ByToken>('/:id/answers/:token', { schema: secondPage }, async ({ params }, reply) => {
		const found = find(store, params);
		if (!found) return await show.showUnknown(reply);
		return await showProgress(reply, found.request, found.guest);
	});

	const submitPage = page('Submit the answers', [400, 404, 409]);
	const submitSchema = {
		...submitPage,
		body: fields('`answers[<label>]` for each question'),
		response: { ...redirect, ...submitPage.response },
	};
	app.post<ByToken>(
		'/:id/answers/:token',
		{ schema: submitSchema, attachValidation: true },
		async ({ params, body }, reply) => {
			const found = find(store, params);
			if (!found) return await show.showUnknown(reply);
			const { request, guest } = found;
			const answers = readAnswers(body);
			const submitted = participation.submit(request, guest, answers);
			if (submitted.kind === 'completed') return await show.showCompleted(reply, 409);
			if (submitted.kind === 'submitted') {
				return await reply.redirect(show.answersPath(request, guest), 303);
			}
			return await show.showAnswers(reply, request, guest, answers, submitted.problems);
		},
	);

	registerOneStep(app, store, participation);
}

async function showProgress(reply: FastifyReply, request: StoredRequest, guest: Guest) {
	if (guest.submittedAt !== null) return await show.showThanks(reply, request, guest);
	if (shareStatusOf(request) === 'completed') return await show.showCompleted(reply, 200);
	return await show.showAnswers(reply, request, guest);
}

function find(store: Store, { id, token }: ByToken['Params']) {
	const request = store.requests.get(id);
	const guest = request?.guests.find((candidate) => candidate.token === token);
	return request && guest ? { request, guest } : undefined;
}
