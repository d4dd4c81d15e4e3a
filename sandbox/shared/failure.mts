/** One sentence for the person at the terminal; shown without a stack. */
export class Failure extends Error {}

/** Writes one line of progress. */
export type Log = (line: string) => void;

/** The error's message, or the value as text when something else was thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** The `code` of a system error such as `ENOENT`, undefined for anything else. */
export function codeOf(error: unknown): string | undefined {
	if (!(error instanceof Error) || !('code' in error)) return undefined;
	return typeof error.code === 'string' ? error.code : undefined;
}
