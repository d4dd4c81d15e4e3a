import assert from 'node:assert/strict';
import type { Answer } from './send.mts';

/** What a sender may learn (docs/trigger.md, How the signature is checked): one constant body each, nothing of the request. */
const constant = {
	accepted: [200, '{"status":"accepted"}'],
	filtered: [200, '{"status":"filtered"}'],
	duplicate: [200, '{"status":"duplicate"}'],
	malformed: [400, '{"status":"malformed"}'],
	unverified: [401, '{"status":"unverified"}'],
	tooLarge: [413, '{"status":"too large"}'],
	notConfigured: [500, '{"status":"not configured"}'],
} as const;

export type Outcome = keyof typeof constant;

/** Fails unless the answer is the constant one of the outcome, as JSON. */
export function assertAnswer(answer: Answer, outcome: Outcome): void {
	const [status, text] = constant[outcome];
	assert.deepEqual({ status: answer.status, text: answer.text }, { status, text });
	assert.match(answer.contentType, /^application\/json\b/);
}

/** Which of the constant answers it is; undefined when it is none of them. */
export function outcomeOf({ status, text, contentType }: Answer): Outcome | undefined {
	if (!/^application\/json\b/.test(contentType)) return undefined;
	const outcomes = Object.keys(constant) as Outcome[];
	return outcomes.find((name) => constant[name][0] === status && constant[name][1] === text);
}

/** The answer that stands for an outcome. */
export function answerOf(outcome: Outcome): Answer {
	const [status, text] = constant[outcome];
	return { status, contentType: 'application/json; charset=utf-8', text };
}
