import type { OtherField } from './types.mts';

/** A template field that the guest page asks for; `autocomplete` is the HTML attribute. */
export interface Question {
	label: string;
	isMandatory: boolean;
	autocomplete: string;
	rows: number;
}

/** Answers by label. */
export type Answers = ReadonlyMap<string, string>;

const MAX_ANSWER_LENGTH = 2000;

/** The questions of every template: the sandbox's own choice, because the API shows no template. */
export const questions: readonly Question[] = [
	{ label: 'Delivery address', isMandatory: true, autocomplete: 'street-address', rows: 3 },
	{ label: 'Contact phone', isMandatory: false, autocomplete: 'tel', rows: 1 },
	{ label: 'Remarks', isMandatory: false, autocomplete: 'off', rows: 3 },
];

/** What is wrong with the answers, a plain sentence by label; empty when they can be accepted. */
export function findProblems(answers: Answers): Map<string, string> {
	const problems = new Map<string, string>();
	for (const { label, isMandatory } of questions) {
		const answer = answers.get(label) ?? '';
		if (isMandatory && answer.trim() === '') problems.set(label, `Enter an answer: ${label}.`);
		if (answer.length > MAX_ANSWER_LENGTH) {
			problems.set(label, `Use at most ${MAX_ANSWER_LENGTH} characters: ${label}.`);
		}
	}
	for (const label of answers.keys()) {
		if (!questions.some((question) => question.label === label)) {
			problems.set(label, `There is no question with this label: ${label}.`);
		}
	}
	return problems;
}

/** One participant's answers as fields of a share, one for each question. */
export function toOtherFields(answers: Answers): OtherField[] {
	return questions.map(({ label, isMandatory }) => ({
		value: (answers.get(label) ?? '').trim(),
		isMandatory,
		type: 'text',
		label,
	}));
}
