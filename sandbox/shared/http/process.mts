import { parseArgs, type ParseArgsConfig } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

const reasons: Readonly<Record<string, string>> = {
	EADDRINUSE: 'is in use: stop the program that uses it',
	EACCES: 'needs more permissions: use one above 1023',
	EADDRNOTAVAIL:
		'cannot be used, because this computer does not have this address: choose another --host',
};

/** Says one sentence for the person at the terminal, and ends. */
export function fail(message: string): never {
	console.error(message);
	process.exit(1);
}

/** What the options of the command line hold; ends the process when there are others. */
export function readOptions<T extends Options>(usage: string, options: T) {
	try {
		return parseArgs({ options }).values;
	} catch {
		return fail(`Usage: ${usage}`);
	}
}

/** The number that an option holds; ends the process when it holds something else. */
export function wholeNumber(option: string, text: string, maximum = 65_535): number {
	const isAccepted = /^\d+$/.test(text) && Number(text) <= maximum;
	return isAccepted ? Number(text) : fail(`${option} must be a whole number up to ${maximum}.`);
}

/** Waits until a server listens; ends the process when it cannot have the port that an option says. */
export async function listening<T>(option: string, port: number, server: Promise<T>): Promise<T> {
	return await server.catch((error: NodeJS.ErrnoException) => {
		const { code = '' } = error;
		const reason = reasons[code] ?? `cannot be used (${code || error.message}): correct that`;
		fail(
			`Port ${port} ${reason}, or choose another port with ${option} (0 chooses any free port).`,
		);
	});
}

/** Closes and ends when asked to, and with the parent when that holds on to its standard input. */
export function endWhenAsked(close: () => Promise<unknown>, withParent: boolean): void {
	const stop = () => void close().finally(() => process.exit(0));
	process.once('SIGTERM', stop).once('SIGINT', stop);
	if (withParent) process.stdin.resume().once('close', stop);
}
