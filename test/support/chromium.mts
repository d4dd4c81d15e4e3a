import { existsSync } from 'node:fs';
import path from 'node:path';
import { aptInstall } from '../../sandbox/shared/apt.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import { userFolder } from './environment.mts';

/** Where systems with apt, dnf or pacman install Chromium, and where Google Chrome is installed. */
const places = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
/** The variable for the path of another Chromium. */
const variable = 'BROWSER_PATH';
const advice = `install Chromium, or name one with ${variable}=/path/to/chromium, and run the same command again.`;

/** The path of a Chromium; installs one with apt-get if there is none and this is root. */
export async function ensureChromium(): Promise<string> {
	const given = process.env[variable] ?? '';
	if (given !== '' && !existsSync(given)) {
		throw new Failure(`${variable} is "${given}", where there is no file.`);
	}
	const find = () => (given === '' ? places.find(existsSync) : given);
	if (find() === undefined) {
		const logFile = path.join(userFolder, 'chromium.log');
		await aptInstall({ name: 'Chromium', packages: ['chromium'], advice, logFile });
	}
	const found = find();
	if (found === undefined) throw new Failure(`apt-get has installed no Chromium: ${advice}`);
	return found;
}
