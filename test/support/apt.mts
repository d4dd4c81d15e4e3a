import { existsSync } from 'node:fs';
import { run } from '../../sandbox/shared/command.mts';
import { Failure } from '../../sandbox/shared/failure.mts';

interface Programs {
	/** The name in messages, for example `Chromium`. */
	name: string;
	/** Debian's packages. */
	packages: string[];
	/** What to do if apt-get cannot help; completes a sentence. */
	advice: string;
	logFile: string;
}

/** Installs programs with apt-get; throws a Failure with the advice if it cannot. */
export async function aptInstall({ name, packages, advice, logFile }: Programs) {
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
		throw new Failure(`${name} not found: ${advice}`);
	}
	const install = `apt-get update && apt-get install --yes --no-install-recommends ${packages.join(' ')}`;
	await run({
		title: `Installing ${name} with apt-get`,
		command: 'sh',
		args: ['-c', install],
		env: { DEBIAN_FRONTEND: 'noninteractive' },
		cwd: '/',
		logFile,
		advice: `or ${advice}`,
	});
}
