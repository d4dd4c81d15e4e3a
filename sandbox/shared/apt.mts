import { existsSync } from 'node:fs';
import { run } from './command.mts';
import { Failure, type Log } from './failure.mts';

/** Installs Debian packages; throws a Failure with the advice if this is not root or not Debian. */
export async function aptInstall(installation: {
	/** The name in messages, for example `Chromium`. */
	name: string;
	packages: string[];
	megabytes: number;
	/** What to do if apt-get cannot help; completes a sentence. */
	advice: string;
	log: Log;
	logFile: string;
}): Promise<void> {
	const { name, packages, megabytes, advice, log, logFile } = installation;
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
		throw new Failure(`${name} not found: ${advice}`);
	}
	log(`Installing ${name} with apt-get (about ${megabytes} MB, once).`);
	const steps = [['update'], ['install', '--yes', '--no-install-recommends', ...packages]];
	for (const step of steps) {
		const args = ['DEBIAN_FRONTEND=noninteractive', 'apt-get', ...step];
		const done = await run({ command: 'env', args, cwd: '/', logFile });
		if (done === undefined) throw new Failure(`apt-get failed: see ${logFile}, or ${advice}`);
	}
}
