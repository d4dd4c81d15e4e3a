/** One sentence for the person at the terminal; printed without a stack trace. */
export class Failure extends Error {}

/** For `catch`: ignores an error with this code, such as `ENOENT`, and rethrows any other. */
export const unlessCode = (code: string) => (error: unknown) => {
	if (!(error instanceof Error) || !('code' in error) || error.code !== code) throw error;
	return undefined;
};
