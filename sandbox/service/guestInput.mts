import { looksLikeEmail } from './emails.mts';
import type { Person } from './participation.mts';
import type { Answers } from './questions.mts';

const MAX_NAME_LENGTH = 200;
const ANSWER_FIELD = /^answers\[(.*)\]$/s;

/** The name of the form field of a question. */
export function answerField(label: string): string {
	return `answers[${label}]`;
}

/** Reads `name` and `email` of a form or JSON body, without spaces around them. */
export function readPerson(body: unknown): Person {
	return { name: readText(body, 'name').trim(), email: readText(body, 'email').trim() };
}

/** Reads the answers of a form (`answers[<label>]`) or of JSON (`answers: { <label>: … }`). */
export function readAnswers(body: unknown): Answers {
	const answers = new Map<string, string>();
	for (const [name, value] of entriesOf(body)) {
		const label = ANSWER_FIELD.exec(name)?.[1];
		if (label !== undefined && typeof value === 'string') answers.set(label, value);
	}
	const nested = entriesOf(body).find(([name]) => name === 'answers')?.[1];
	for (const [label, value] of entriesOf(nested)) {
		if (typeof value === 'string') answers.set(label, value);
	}
	return answers;
}

/** What is wrong with a person's details, a plain sentence by field. */
export function findPersonProblems({ name, email }: Person): Map<string, string> {
	const problems = new Map<string, string>();
	if (name === '') problems.set('name', 'Enter your name.');
	if (name.length > MAX_NAME_LENGTH) problems.set('name', 'Use at most 200 characters.');
	if (email === '') problems.set('email', 'Enter your email address.');
	else if (!looksLikeEmail(email)) {
		problems.set('email', 'Enter an email address such as name@example.com.');
	}
	return problems;
}

function readText(body: unknown, name: string): string {
	const value = entriesOf(body).find(([key]) => key === name)?.[1];
	return typeof value === 'string' ? value : '';
}

function entriesOf(body: unknown): Array<[string, unknown]> {
	return typeof body === 'object' && body !== null ? Object.entries(body) : [];
}
