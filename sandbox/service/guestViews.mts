import type { FastifyError, FastifyReply } from 'fastify';
import { sendPage, type Data } from '../shared/http/pages.mts';
import { guestPath, shareStatusOf, topicOf } from './collectionRequests.mts';
import { answerField, questions, type Answers, type Person, type Problems } from './guestInput.mts';
import type { StoredGuest, StoredRequest } from './store.mts';

const NONE: Problems = new Map();

/** Step 1, name and email address; with problems, the same page again with status 400. */
export async function join(
	reply: FastifyReply,
	request: StoredRequest,
	person: Person = { name: '', email: '' },
	problems = NONE,
) {
	const field = (name: keyof Person, label: string, autocomplete: string, type: string) => {
		const more = { hint: '', rows: 1, isMandatory: true, value: person[name] };
		return { id: name, name, label, autocomplete, type, error: problems.get(name), ...more };
	};
	return await sendForm(reply, request, {
		step: 1,
		action: `${guestPath(request)}/join`,
		intro: 'Tell us who you are. If you have already started, use the same email address.',
		button: 'Continue',
		fields: [
			field('name', 'Your name', 'name', 'text'),
			field('email', 'Email address', 'email', 'email'),
		],
	});
}

/** Step 2, the questions; with problems, the same page again with status 400. */
export async function answers(
	reply: FastifyReply,
	request: StoredRequest,
	guest: StoredGuest,
	given: Answers = NONE,
	problems = NONE,
) {
	return await sendForm(reply, request, {
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
			value: given.get(question.label) ?? '',
			error: problems.get(question.label),
		})),
	});
}

interface Form extends Data {
	fields: Array<{ id: string; error?: string }>;
}

async function sendForm(reply: FastifyReply, request: StoredRequest, form: Form) {
	const failed = form.fields.filter(({ error }) => error);
	// The guests' heading: a template's name would mean nothing to them.
	const title = topicOf(request) ?? 'We have some questions for you';
	const focus = (failed[0] ?? form.fields[0])?.id;
	const status = failed.length > 0 ? 400 : 200;
	return await sendPage(reply, status, 'service/pages/form', { ...form, title, failed, focus });
}

/** The page after submitting; it says whether others still have to submit. */
export async function thanks(reply: FastifyReply, request: StoredRequest, guest: StoredGuest) {
	const isCompleted = shareStatusOf(request) === 'completed';
	return await sendPage(reply, 200, 'service/pages/message', {
		topic: topicOf(request),
		title: `Thank you, ${guest.name}`,
		text: isCompleted
			? 'Your answers have been submitted, and the form is complete.'
			: 'Your answers have been submitted. Other participants may still be answering.',
		advice: 'You can close this page.',
	});
}

/** What to do about a refusal, by error code. */
const advice = {
	not_found: 'Check that you opened the complete link, or ask for a new one.',
	completed: 'If you wanted to change something, ask the person who sent you the link.',
	full: 'If you were invited, use the email address that the invitation was sent to. Otherwise ask the person who sent you the link.',
};

type Refused = { statusCode: number; code: keyof typeof advice; message: string };

/** Whether guests get a page for this error. */
export const isRefused = (error: FastifyError): error is FastifyError & Refused =>
	Object.hasOwn(advice, error.code);

/** Says why there is nothing to fill in; the message's first sentence is the heading. */
export async function refusal(reply: FastifyReply, refused: Refused, request?: StoredRequest) {
	const { statusCode: status, code, message } = refused;
	const [title, text] = message.split('. ');
	const again = code === 'full' && request && guestPath(request);
	const topic = request && topicOf(request);
	const page = { topic, title, text, advice: advice[code], again };
	return await sendPage(reply, status, 'service/pages/message', page);
}

export const answersPath = (request: StoredRequest, { token }: StoredGuest) =>
	`${guestPath(request)}/answers/${token}`;
