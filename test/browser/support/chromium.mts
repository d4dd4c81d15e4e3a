import { existsSync } from 'node:fs';
import { run } from '../../../sandbox/shared/command.mts';
import { Failure, type Log } from '../../../sandbox/shared/failure.mts';

/** Where systems with apt, dnf or pacman put Chromium, and where Google's Chrome goes. */
const places = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The variable that names another Chromium. */
const variable = 'BROWSER_PATH';

const installation = [
	['apt-get', 'update'],
	['apt-get', 'install', '--yes', '--no-install-recommends', 'chromium'],
] as const;

function find(): string | undefined {
	const given = process.env[variable] ?? '';
	if (given === '') return places.find(existsSync);
	if (existsSync(given)) return given;
	throw new Failure(`${variable} is "${given}", where there is no file.`);
}

const advice = `install Chromium, or name one with ${variable}=/path/to/chromium, and run the same command again.`;

/** The path of a Chromium; installs one with apt-get when there is none and this is root. */
export async function ensureChromium(log: Log, logFile: string): Promise<string> {
	const found = find();
	if (found !== undefined) return found;
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
		throw new Failure(`No Chromium was found: ${advice}`);
	}
	log('Installing Chromium with apt-get (about 300 MB, once).');
	for (const [command, ...args] of installation) {
		const env = ['DEBIAN_FRONTEND=noninteractive', command];
		const done = await run({ command: 'env', args: [...env, ...args], cwd: '/', logFile });
		if (done === undefined) throw new Failure(`${command} failed: read ${logFile}, or ${advice}`);
	}
	const installed = find();
	if (installed === undefined) throw new Failure(`apt-get has installed no Chromium: ${advice}`);
	return installed;
}
