/** One sentence for the person at the terminal; printed without a stack trace. */
export class Failure extends Error {}

/** Writes one line of progress. */
export type Log = (line: string) => void;

/** The error's message; any other thrown value as text. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** For `catch`: ignores an error with this code, such as `ENOENT`, and rethrows any other. */
export const unlessCode = (code: string) => (error: unknown) => {
	if (!(error instanceof Error) || !('code' in error) || error.code !== code) throw error;
	return undefined;
};
