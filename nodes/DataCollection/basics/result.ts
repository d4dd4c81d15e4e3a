/** What the outside world decides: a value, or an error. */
export type Result<T, E> = { ok: true; value: T } | { ok: false; error: E };

export const err = <E>(error: E) => ({ ok: false, error }) as const;

export const mapped = <T, U, E>(result: Result<T, E>, change: (value: T) => U): Result<U, E> =>
	result.ok ? { ok: true, value: change(result.value) } : result;

export const errorsOf = <E>(results: Array<Result<unknown, E>>): E[] =>
	results.flatMap((result) => (result.ok ? [] : [result.error]));
