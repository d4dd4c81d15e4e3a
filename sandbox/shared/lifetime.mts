import './exitWithParent.mts';
import { Failure } from './failure.mts';
import { stopAllServers } from './server.mts';

/**
 * Runs a command of the sandbox and exits with the code that `main` resolves to. Whatever ends it
 * (a signal, a failure or its own return), every server it has started is stopped first.
 */
export async function runCommand(main: () => Promise<number>, codeOnSignal: number) {
	let isOver = false;
	// npm and the terminal may both deliver the same Ctrl-C.
	const signal = new Promise<'signal'>((resolve) => {
		for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => resolve('signal'));
	});
	const outcome = main().catch((error: unknown) => {
		if (!isOver) console.error(error instanceof Failure ? error.message : error);
		return 1;
	});
	const end = await Promise.race([signal, outcome]);
	isOver = true;
	if (end === 'signal') console.log('\nStopping everything ...');
	await stopAllServers();
	if (end === 'signal') console.log('Everything is stopped.');
	process.exit(end === 'signal' ? codeOnSignal : end);
}
