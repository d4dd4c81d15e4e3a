import { parseArgs, type ParseArgsConfig } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

const reasons: Readonly<Record<string, string>> = {
	EADDRINUSE: 'is in use: stop the program that uses it',
	EACCES: 'needs more permissions: use one above 1023',
};

/** Prints one sentence for the person at the terminal and ends the process. */
export function fail(message: string): never {
	console.error(message);
	process.exit(1);
}

/** The values of the command line options; ends the process if there are unknown ones. */
export function readOptions<T extends Options>(usage: string, options: T) {
	try {
		return parseArgs({ options }).values;
	} catch {
		return fail(`Usage: ${usage}`);
	}
}

/** The value of a numeric option; ends the process if it is something else. */
export function wholeNumber(option: string, text: string, maximum = 65_535): number {
	const isAccepted = /^\d+$/.test(text) && Number(text) <= maximum;
	return isAccepted ? Number(text) : fail(`${option} must be a whole number up to ${maximum}.`);
}

/** Waits until a server listens; ends the process if it cannot use the option's port. */
export async function listening<T>(option: string, port: number, server: Promise<T>): Promise<T> {
	return await server.catch((error: NodeJS.ErrnoException) => {
		const { code = '' } = error;
		const reason = reasons[code] ?? `cannot be used (${code || error.message}): correct that`;
		fail(
			`Port ${port} ${reason}, or choose another port with ${option} (0 chooses any free port).`,
		);
	});
}

/** Shuts down on a signal and, if the parent holds its standard input open, with the parent. */
export function endWhenAsked(close: () => Promise<unknown>, withParent: boolean): void {
	const stop = () => void close().finally(() => process.exit(0));
	process.once('SIGTERM', stop).once('SIGINT', stop);
	if (withParent) process.stdin.resume().once('close', stop);
}
