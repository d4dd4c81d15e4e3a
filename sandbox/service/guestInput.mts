import type { OtherField } from './types.mts';

/** What counts as an email address. */
export const EMAIL = { pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', maxLength: 254 };

export type Person = Record<'name' | 'email', string>;

/** Every template's questions: the sandbox's own choice, as the API describes no template. */
export const questions = [
	{ label: 'Delivery address', isMandatory: true, autocomplete: 'street-address', rows: 3 },
	{ label: 'Contact phone', isMandatory: false, autocomplete: 'tel', rows: 1 },
	{ label: 'Remarks', isMandatory: false, autocomplete: 'off', rows: 3 },
];

/** What a guest enters: the person, and the answers by label. All texts are trimmed. */
export interface Entered extends Person {
	answers: ReadonlyMap<string, string>;
}

/** Reads the form, whose answers are named `answers[<label>]`. */
export function readEntered(form: unknown): Entered {
	const fields = new URLSearchParams(Object(form) as Record<string, string>);
	const textOf = (name: string) => fields.get(name)?.trim() ?? '';
	const answers = questions.map(({ label }) => [label, textOf(`answers[${label}]`)] as const);
	return { name: textOf('name'), email: textOf('email'), answers: new Map(answers) };
}

/** What is wrong, as a plain sentence by field or label; empty if all of it can be accepted. */
export function findProblems({ name, email, answers }: Entered): ReadonlyMap<string, string> {
	const problems = new Map<string, string>();
	if (name === '') problems.set('name', 'Enter your name.');
	if (name.length > 200) problems.set('name', 'Use at most 200 characters.');
	if (email.length > EMAIL.maxLength || !new RegExp(EMAIL.pattern).test(email)) {
		problems.set('email', 'Enter an email address such as name@example.com.');
	}
	for (const { label, isMandatory } of questions) {
		const answer = answers.get(label) ?? '';
		if (isMandatory && answer === '') problems.set(label, `Enter an answer: ${label}.`);
		if (answer.length > 2000) problems.set(label, `Use at most 2000 characters: ${label}.`);
	}
	return problems;
}

/** One participant's answers as fields of a share, one for each question. */
export const toOtherFields = (answers: Entered['answers']): OtherField[] =>
	questions.map(({ label, isMandatory }) => {
		return { value: answers.get(label) ?? '', isMandatory, type: 'text', label };
	});
