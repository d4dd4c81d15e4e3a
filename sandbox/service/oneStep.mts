import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { shareStatusOf } from './collectionRequests.mts';
import { NOT_FOUND } from './errors.mts';
import { findPersonProblems, readAnswers, readPerson } from './guestInput.mts';
import * as show from './guestViews.mts';
import type { Participation } from './participation.mts';
import { findProblems } from './questions.mts';
import { ref } from './schemas/describe.mts';
import type { Store } from './store.mts';
import type { StoredRequest } from './types.mts';

interface ById {
	Params: { id: string };
}

const schema = {
	tags: ['guest'],
	summary: 'For scripts: join and submit in one step',
	description: 'Answers JSON if Accept names application/json, else as the guest page does.',
	consumes: ['application/json', 'application/x-www-form-urlencoded'],
	body: ref('JoinAndSubmit'),
	response: {
		200: {
			description: 'Submitted',
			type: 'object',
			required: ['shareStatus'],
			properties: { shareStatus: { type: 'string' } },
		},
		303: { description: 'Go on at the address in Location', type: 'null' },
		400: { ...ref('Error'), description: 'Details or answers are missing or wrong' },
		404: { ...ref('Error'), description: 'There is no such request' },
		409: { ...ref('Error'), description: 'The request is complete, or all places are taken' },
	},
};

/** `POST /request/:id`: joins and submits at once; in JSON nothing changes unless all is accepted. */
export function registerOneStep(
	app: FastifyInstance,
	store: Store,
	participation: Participation,
): void {
	app.post<ById>('/:id', { schema, attachValidation: true }, async (call, reply) => {
		const isJson = call.headers.accept?.includes('application/json') === true;
		const request = store.requests.get(call.params.id);
		if (!request) {
			return isJson ? await reply.code(404).send(NOT_FOUND) : await show.showUnknown(reply);
		}
		return isJson
			? await answerJson(request, participation, call, reply)
			: await answerPage(request, participation, call, reply);
	});
}

async function answerJson(
	request: StoredRequest,
	participation: Participation,
	{ body }: FastifyRequest,
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
		return await reply.code(409).send({ code: 'full', message: 'All places are taken.' });
	}
	const outcome =
		joined.kind === 'joined' ? participation.submit(request, joined.guest, answers) : joined;
	if (outcome.kind === 'completed') {
		const message = 'The request is complete: nothing more can be added.';
		return await reply.code(409).send({ code: 'completed', message });
	}
	return await reply.send({ shareStatus: shareStatusOf(request) });
}

async function answerPage(
	request: StoredRequest,
	participation: Participation,
	{ body }: FastifyRequest,
	reply: FastifyReply,
) {
	const person = readPerson(body);
	const problems = findPersonProblems(person);
	if (problems.size > 0) return await show.showJoin(reply, request, person, problems);
	const joined = participation.join(request, person);
	if (joined.kind === 'full') return await show.showFull(reply, request);
	if (joined.kind === 'completed') return await show.showCompleted(reply, 409);
	const answers = readAnswers(body);
	const submitted = participation.submit(request, joined.guest, answers);
	if (submitted.kind === 'completed') return await show.showCompleted(reply, 409);
	if (submitted.kind === 'submitted') {
		return await reply.redirect(show.answersPath(request, joined.guest), 303);
	}
	return await show.showAnswers(reply, request, joined.guest, answers, submitted.problems);
}
