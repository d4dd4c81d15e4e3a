import { existsSync } from 'node:fs';
import path from 'node:path';
import { run } from '../../../sandbox/shared/command.mts';
import { Failure, type Log } from '../../../sandbox/shared/failure.mts';

const program = '/usr/bin/chromium';

/** The browser's program; installs Debian's package when it is missing and this may do so. */
export async function ensureChromium(folder: string, log: Log): Promise<string> {
	if (existsSync(program)) return program;
	log('Installing Chromium (once; about a minute).');
	const logFile = path.join(folder, 'chromium.log');
	for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
		await run({ command: 'apt-get', args, cwd: folder, logFile });
	}
	if (existsSync(program)) return program;
	throw new Failure(`There is no ${program}: install Chromium, or read ${logFile}.`);
}
