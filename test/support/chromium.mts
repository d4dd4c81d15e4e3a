import { existsSync } from 'node:fs';
import { aptInstall } from '../../sandbox/shared/apt.mts';
import { Failure, type Log } from '../../sandbox/shared/failure.mts';

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
	const packages = ['chromium'];
	await aptInstall({ name: 'Chromium', packages, megabytes: 300, advice, log, logFile });
	const installed = find();
	if (installed === undefined) throw new Failure(`apt-get has installed no Chromium: ${advice}`);
	return installed;
}
