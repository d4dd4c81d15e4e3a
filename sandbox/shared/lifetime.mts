import './exitWithParent.mts';
import { Failure, messageOf } from './failure.mts';
import { stopAllServers } from './server.mts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves at the first signal; npm and a terminal may both deliver the same Ctrl-C. */
function nextSignal(): Promise<'signal'> {
	return new Promise((resolve) => {
		for (const signal of signals) process.on(signal, () => resolve('signal'));
	});
}

type Main = (isOver: () => boolean) => Promise<number>;

/** The exit code, with the reason printed when it fails. */
async function outcome(main: Main, isOver: () => boolean): Promise<number> {
	try {
		return await main(isOver);
	} catch (error) {
		if (!isOver()) console.error(error instanceof Failure ? error.message : error);
		return 1;
	}
}

/**
 * Runs a command of the sandbox and exits with the code `main` answers: whatever ends it, a
 * signal, a failure or its own return, every server it has started is stopped first. `isOver`
 * tells `main` that a signal has ended it already.
 */
export async function runCommand(main: Main, codeOnSignal: number): Promise<never> {
	let isOver = false;
	const end = await Promise.race([nextSignal(), outcome(main, () => isOver)]);
	isOver = true;
	if (end === 'signal') console.log('\nStopping everything ...');
	await stopAllServers().catch((error: unknown) => console.error(messageOf(error)));
	if (end === 'signal') console.log('Everything is stopped.');
	process.exit(end === 'signal' ? codeOnSignal : end);
}
