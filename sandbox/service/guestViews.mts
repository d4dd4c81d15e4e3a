import type { FastifyReply } from 'fastify';
import { shareStatusOf } from './collectionRequests.mts';
import { answerField } from './guestInput.mts';
import { sendPage } from './pages.mts';
import type { Person } from './participation.mts';
import type { Answers } from './questions.mts';
import { questions } from './questions.mts';
import type { Guest, StoredRequest } from './types.mts';

type Problems = ReadonlyMap<string, string>;

const NONE: Problems = new Map();
const NOBODY: Person = { name: '', email: '' };

/** Step 1, name and email address; with problems it is the same page again, status 400. */
export async function showJoin(
	reply: FastifyReply,
	request: StoredRequest,
	person: Person = NOBODY,
	problems: Problems = NONE,
) {
	const field = (name: keyof Person, label: string, autocomplete: string, type: string) => {
		const more = { hint: '', rows: 1, isMandatory: true, value: person[name] };
		return { id: name, name, label, autocomplete, type, error: problems.get(name), ...more };
	};
	return await showForm(reply, problems, {
		title: request.title,
		step: 1,
		action: `/request/${request.id}/join`,
		intro: 'Tell us who you are. If you have started before, use the same email address.',
		button: 'Continue',
		fields: [
			field('name', 'Your name', 'name', 'text'),
			field('email', 'Email address', 'email', 'email'),
		],
	});
}

/** Step 2, the questions; with problems it is the same page again, status 400. */
export async function showAnswers(
	reply: FastifyReply,
	request: StoredRequest,
	guest: Guest,
	answers: Answers = NONE,
	problems: Problems = NONE,
) {
	return await showForm(reply, problems, {
		title: request.title,
		step: 2,
		action: answersPath(request, guest),
		intro: `Hello ${guest.name}. Please answer the questions and submit.`,
		button: 'Submit answers',
		fields: questions.map((question, index) => ({
			...question,
			id: `answer-${index + 1}`,
			name: answerField(question.label),
			type: question.autocomplete === 'tel' ? 'tel' : 'text',
			hint: question.isMandatory ? '' : 'optional',
			value: answers.get(question.label) ?? '',
			error: problems.get(question.label),
		})),
	});
}

async function showForm(
	reply: FastifyReply,
	problems: Problems,
	data: { fields: Array<{ id: string; error?: string }> } & Record<string, unknown>,
) {
	const focus = (data.fields.find(({ error }) => error) ?? data.fields[0])?.id;
	return await sendPage(reply, problems.size > 0 ? 400 : 200, 'form', { ...data, focus });
}

/** The page after submitting; it says whether others are still awaited. */
export async function showThanks(reply: FastifyReply, request: StoredRequest, guest: Guest) {
	const isCompleted = shareStatusOf(request) === 'completed';
	return await sendPage(reply, 200, 'message', {
		title: `Thank you, ${guest.name}`,
		tone: 'good',
		text: isCompleted
			? 'Your answers have been submitted, and the request is complete.'
			: 'Your answers have been submitted. Other participants may still be answering.',
		advice: 'You can close this page.',
	});
}

export async function showCompleted(reply: FastifyReply, status: number) {
	return await sendPage(reply, status, 'message', {
		title: 'This request is already complete',
		tone: 'good',
		text: 'All the answers that were asked for have arrived, so nothing more can be added.',
		advice: 'If you wanted to change something, ask the person who sent you the link.',
	});
}

export async function showFull(reply: FastifyReply, request: StoredRequest) {
	const isKept = request.guests.length < request.maximumParticipants;
	return await sendPage(reply, 409, 'message', {
		title: isKept ? 'The places left are kept' : 'All places are taken',
		tone: 'notice',
		text: isKept
			? 'They are for the people who were invited and have not joined yet.'
			: 'The maximum number of people has joined already.',
		advice:
			'If you were invited, use the email address of your invitation. Otherwise ask the person who sent you the link.',
		way: { href: `/request/${request.id}`, text: 'Try another address' },
	});
}

export async function showUnknown(reply: FastifyReply) {
	return await sendPage(reply, 404, 'message', {
		title: 'We cannot find this request',
		tone: 'notice',
		text: 'The link may be incomplete or out of date.',
		advice: 'Check that you opened the whole link, or ask for a new one.',
	});
}

export function answersPath(request: StoredRequest, guest: Guest): string {
	return `/request/${request.id}/answers/${guest.token}`;
}
