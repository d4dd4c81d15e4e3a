import { EMAIL, type OtherField } from './schemas/api.mts';

export type Person = Record<'name' | 'email', string>;

/** Answers by label. */
export type Answers = ReadonlyMap<string, string>;

/** A plain sentence by field or label. */
export type Problems = ReadonlyMap<string, string>;

const MAX_NAME_LENGTH = 200;
const MAX_ANSWER_LENGTH = 2000;

/** Every template's questions: the sandbox's own choice, as the API describes no template. */
export const questions = [
	{ label: 'Delivery address', isMandatory: true, autocomplete: 'street-address', rows: 3 },
	{ label: 'Contact phone', isMandatory: false, autocomplete: 'tel', rows: 1 },
	{ label: 'Remarks', isMandatory: false, autocomplete: 'off', rows: 3 },
];

/** The name of a question's form field. */
export const answerField = (label: string) => `answers[${label}]`;

const textsOf = (value: unknown) =>
	Object.entries(Object(value) as object).filter(
		(entry): entry is [string, string] => typeof entry[1] === 'string',
	);

/** Reads `name` and `email` from a form or JSON body, trimmed. */
export function readPerson(body: unknown): Person {
	const { name = '', email = '' } = Object.fromEntries(textsOf(body));
	return { name: name.trim(), email: email.trim() };
}

/** Reads the answers from a form (`answers[<label>]`) or JSON (`answers: { <label>: … }`). */
export function readAnswers(body: unknown): Answers {
	const { answers } = Object(body) as { answers?: unknown };
	const ofForm = textsOf(body).flatMap(([name, value]) => {
		const [, label] = /^answers\[(.*)\]$/s.exec(name) ?? [];
		return label === undefined ? [] : [[label, value] as const];
	});
	return new Map([...ofForm, ...textsOf(answers)]);
}

/** What is wrong with a person's details. */
export function findPersonProblems({ name, email }: Person): Problems {
	const problems = new Map<string, string>();
	if (name === '') problems.set('name', 'Enter your name.');
	if (name.length > MAX_NAME_LENGTH) problems.set('name', 'Use at most 200 characters.');
	if (email === '') problems.set('email', 'Enter your email address.');
	else if (email.length > EMAIL.maxLength || !new RegExp(EMAIL.pattern).test(email)) {
		problems.set('email', 'Enter an email address such as name@example.com.');
	}
	return problems;
}

/** What is wrong with the answers; empty if they can be accepted. */
export function findProblems(answers: Answers): Problems {
	const problems = new Map<string, string>();
	const known = new Map(questions.map(({ label, isMandatory }) => [label, isMandatory]));
	for (const [label, isMandatory] of known) {
		const answer = answers.get(label) ?? '';
		if (isMandatory && answer.trim() === '') problems.set(label, `Enter an answer: ${label}.`);
		if (answer.length > MAX_ANSWER_LENGTH) {
			problems.set(label, `Use at most ${MAX_ANSWER_LENGTH} characters: ${label}.`);
		}
	}
	for (const label of answers.keys()) {
		if (!known.has(label)) problems.set(label, `There is no question with this label: ${label}.`);
	}
	return problems;
}

/** One participant's answers as fields of a share, one for each question. */
export function toOtherFields(answers: Answers): OtherField[] {
	return questions.map(({ label, isMandatory }) => {
		return { value: (answers.get(label) ?? '').trim(), isMandatory, type: 'text', label };
	});
}
