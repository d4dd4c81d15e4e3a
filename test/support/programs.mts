import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { run } from '../../sandbox/shared/command.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import { runCommand } from '../../sandbox/shared/lifetime.mts';
import { withLock } from '../../sandbox/shared/lock.mts';
import { stateFolder } from '../../sandbox/shared/paths.mts';

/** Programs that suites need, but npm does not have. */
interface Programs<Found> {
	/** The name in messages, for example `Chromium`. */
	name: string;
	/** Debian's packages. */
	packages: string[];
	/** What to do if apt-get cannot help; completes a sentence. */
	advice: string;
	find: () => Found | undefined;
}

const { BROWSER_PATH = '', REDIS_BIN: redisBin = '/usr/bin', POSTGRES_BIN } = process.env;

/** Where Google Chrome is installed, and where systems with apt, dnf or pacman install Chromium. */
const browsers = [
	BROWSER_PATH,
	// Ubuntu lets Chrome use its sandbox, but not Chromium.
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
];

const browser: Programs<string> = {
	name: 'Chromium',
	packages: ['chromium'],
	advice: 'install Chromium, or name one with BROWSER_PATH=/path/to/chromium, and try again.',
	find: () => browsers.find(existsSync),
};

const backends: Programs<Record<'redisBin' | 'postgresBin', string>> = {
	name: 'Redis and PostgreSQL',
	packages: ['redis-server', 'postgresql'],
	advice:
		'install Redis and PostgreSQL, set REDIS_BIN and POSTGRES_BIN to their folders, and run the same command again.',
	find: () => {
		const debian = globSync('/usr/lib/postgresql/*/bin').sort().at(-1) ?? '';
		const postgresBin = POSTGRES_BIN ?? debian;
		const needed = [path.join(redisBin, 'redis-server'), path.join(postgresBin, 'postgres')];
		return needed.every(existsSync) ? { redisBin, postgresBin } : undefined;
	},
};

/** Finds programs; as root, installs them with apt-get if one is missing. A Failure has the advice. */
async function ensure<Found>({ name, packages, advice, find }: Programs<Found>): Promise<Found> {
	const install = async () => {
		if (find() !== undefined) return;
		if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
			throw new Failure(`${name} not found: ${advice}`);
		}
		const quietly = 'apt-get install --yes --no-install-recommends';
		await run({
			title: `Installing ${name} with apt-get`,
			command: 'sh',
			args: ['-c', `apt-get update && ${quietly} ${packages.join(' ')}`],
			env: { DEBIAN_FRONTEND: 'noninteractive' },
			cwd: '/',
			logFile: stateFolder('apt.log'),
			advice: `or ${advice}`,
		});
	};
	// apt-get does not wait for another one.
	if (find() === undefined) await withLock('apt', () => undefined, install);
	const found = find();
	if (found === undefined) throw new Failure(`apt-get did not install all of ${name}: ${advice}`);
	return found;
}

/** The path of Chrome or Chromium. */
export const ensureBrowser = () => ensure(browser);

/** The folders of Redis's and PostgreSQL's programs. */
export const ensureBackends = () => ensure(backends);

// CI runs this file directly, to install Chromium while other steps run.
if (import.meta.main) {
	await runCommand(async () => {
		await ensureBrowser();
		return 0;
	}, 1);
}
