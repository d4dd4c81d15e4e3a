import './exitWithParent.mts';
import { Failure, messageOf } from './failure.mts';
import { stopAllServers } from './server.mts';

/**
 * Runs a command of the sandbox and exits with the code that `main` resolves to. Whatever ends it
 * (a signal, a failure or its own return), every server it has started is stopped first. `isOver`
 * tells `main` whether a signal has already ended the command.
 */
export async function runCommand(
	main: (isOver: () => boolean) => Promise<number>,
	codeOnSignal: number,
): Promise<never> {
	let isOver = false;
	// npm and the terminal may both deliver the same Ctrl-C.
	const signal = new Promise<'signal'>((resolve) => {
		for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => resolve('signal'));
	});
	const outcome = main(() => isOver).catch((error: unknown) => {
		if (!isOver) console.error(error instanceof Failure ? error.message : error);
		return 1;
	});
	const end = await Promise.race([signal, outcome]);
	isOver = true;
	if (end === 'signal') console.log('\nStopping everything ...');
	await stopAllServers().catch((error: unknown) => console.error(messageOf(error)));
	if (end === 'signal') console.log('Everything is stopped.');
	process.exit(end === 'signal' ? codeOnSignal : end);
}
