import type { FastifyReply } from 'fastify';
import { shareStatusOf, topicOf } from './collectionRequests.mts';
import { answerField } from './guestInput.mts';
import { sendPage } from './pages.mts';
import type { Person } from './participation.mts';
import type { Answers } from './questions.mts';
import { questions } from './questions.mts';
import { guestPath } from './states.mts';
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
		title: titleOf(request),
		step: 1,
		action: `${guestPath(request)}/join`,
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
		title: titleOf(request),
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
	return await sendPage(reply, problems.size > 0 ? 400 : 200, 'service/pages/form', {
		...data,
		focus,
	});
}

/** A message about a collection request, under its topic if it has one. */
async function showMessage(
	reply: FastifyReply,
	status: number,
	request: StoredRequest,
	data: { title: string } & Readonly<Record<string, unknown>>,
) {
	return await sendPage(reply, status, 'service/pages/message', {
		...data,
		topic: topicOf(request),
	});
}

/** The page after submitting; it says whether others are still awaited. */
export async function showThanks(reply: FastifyReply, request: StoredRequest, guest: Guest) {
	const isCompleted = shareStatusOf(request) === 'completed';
	return await showMessage(reply, 200, request, {
		title: `Thank you, ${guest.name}`,
		tone: 'good',
		text: isCompleted
			? 'Your answers have been submitted, and the request is complete.'
			: 'Your answers have been submitted. Other participants may still be answering.',
		advice: 'You can close this page.',
	});
}

export async function showCompleted(reply: FastifyReply, request: StoredRequest, status: number) {
	return await showMessage(reply, status, request, {
		title: 'This request is already complete',
		tone: 'good',
		text: 'No more answers are needed, so none can be added.',
		advice: 'If you wanted to change something, ask the person who sent you the link.',
	});
}

/** Why nobody else can join. */
export function fullWords({ guests, maximumParticipants }: StoredRequest) {
	return guests.length < maximumParticipants
		? {
				title: 'The remaining places are reserved',
				text: 'They are for the people who were invited and have not joined yet.',
			}
		: {
				title: 'All places are taken',
				text: 'The maximum number of people has joined already.',
			};
}

export async function showFull(reply: FastifyReply, request: StoredRequest) {
	return await showMessage(reply, 409, request, {
		...fullWords(request),
		tone: 'notice',
		advice:
			'If you were invited, use the email address of your invitation. Otherwise ask the person who sent you the link.',
		way: { href: guestPath(request), text: 'Try another email address' },
	});
}

export async function showUnknown(reply: FastifyReply) {
	return await sendPage(reply, 404, 'service/pages/message', {
		title: 'We cannot find this request',
		tone: 'notice',
		text: 'The link may be incomplete or out of date.',
		advice: 'Check that you opened the whole link, or ask for a new one.',
	});
}

export function answersPath(request: StoredRequest, guest: Guest): string {
	return `${guestPath(request)}/answers/${guest.token}`;
}

/** What guests read on top: a template's name would tell them nothing. */
function titleOf(request: StoredRequest): string {
	return topicOf(request) ?? 'We have some questions for you';
}
