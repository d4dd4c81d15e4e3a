import type { WithContext } from './graph';

/**
 * What the nodes of an execution note for those after them, by name. n8n stores it with the execution,
 * and copies it when it retries one, as an execution with another ID.
 */
export const notesUnder = <T>({ context }: WithContext, key: string) =>
	(context.getContext('flow')[key] ??= {}) as Partial<Record<string, T>>;
