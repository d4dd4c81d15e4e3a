/** What came of something that the outside world decides: a value, or what is wrong. */
export type Result<T, F> = { ok: true; value: T } | { ok: false; fault: F };

export const failed = <F>(fault: F) => ({ ok: false, fault }) as const;

/** What is wrong with those that failed. */
export const faultsOf = <F>(results: Array<Result<unknown, F>>): F[] =>
	results.flatMap((result) => (result.ok ? [] : [result.fault]));

/** What the person who builds a workflow is told: what happened, and what to do. */
export interface Words {
	message: string;
	advice: string;
}

/** Several as one, so that all that is wrong can be corrected at once. */
export function joined(words: Words[]): Words {
	const messages = new Set(words.map(({ message }) => message));
	const advice = new Set(words.map((one) => one.advice));
	return { message: [...messages].join('. '), advice: [...advice].join(' ') };
}
