/** One sentence for the person at the terminal; shown without a stack. */
export class Failure extends Error {}

/** Writes one line of progress. */
export type Log = (line: string) => void;

/** The error's message, or the value as text when something else was thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** For `catch`: undefined for an error with this code, such as `ENOENT`; throws any other. */
export const unlessCode = (code: string) => (error: unknown) => {
	if (!(error instanceof Error) || !('code' in error) || error.code !== code) throw error;
	return undefined;
};
