/** What the outside world decides: a value, or an error. */
export type Result<T, E> = { ok: true; value: T } | { ok: false; error: E };

export const err = <E>(error: E) => ({ ok: false, error }) as const;

export const mapped = <T, U, E>(result: Result<T, E>, change: (value: T) => U): Result<U, E> =>
	result.ok ? { ok: true, value: change(result.value) } : result;

export const errorsOf = <E>(results: Array<Result<unknown, E>>): E[] =>
	results.flatMap((result) => (result.ok ? [] : [result.error]));

/** For the person who builds a workflow: what happened, and what to do. */
export interface Explanation {
	message: string;
	description: string;
}

const MOST_ERRORS = 10;

/** So that everything can be corrected at once. */
export function joinedErrors(several: Explanation[]): Explanation {
	const named = several.slice(0, MOST_ERRORS);
	const more = several.length - named.length;
	const messages = [...new Set(named.map(({ message }) => message))];
	const descriptions = new Set(named.map(({ description }) => description));
	if (more > 0) messages.push(`And ${more} more`);
	return { message: messages.join('. '), description: [...descriptions].join(' ') };
}
