import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { aptInstall } from '../../sandbox/shared/apt.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import { root } from '../../sandbox/shared/paths.mts';
import { folderOf } from './addresses.mts';

/** The pictures from a suite's last run. */
export const picturesOf = (suite: string) => path.join(root, 'test', 'artefacts', suite);

/**
 * Chromium's profile: one for all files of a run, so that the editor is loaded from its cache. It
 * is in node_modules because the strict lint parses every script elsewhere in the checkout.
 */
export const profileOf = (suite: string) =>
	path.join(root, 'node_modules', '.cache', `${suite}-profile`);

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

function find(): string | undefined {
	const given = process.env[variable] ?? '';
	if (given === '') return places.find(existsSync);
	if (existsSync(given)) return given;
	throw new Failure(`${variable} is "${given}", where there is no file.`);
}

const advice = `install Chromium, or name one with ${variable}=/path/to/chromium, and run the same command again.`;

/** The path of a Chromium; installs one with apt-get if there is none and this is root. */
async function ensureChromium(suite: string): Promise<string> {
	const found = find();
	if (found !== undefined) return found;
	const logFile = path.join(folderOf(suite), 'chromium.log');
	const packages = ['chromium'];
	const log = console.log;
	await aptInstall({ name: 'Chromium', packages, megabytes: 300, advice, log, logFile });
	const installed = find();
	if (installed === undefined) throw new Failure(`apt-get has installed no Chromium: ${advice}`);
	return installed;
}

/** The path of a Chromium with a clean state: removes what the suite's earlier runs left. */
export async function prepareChromium(suite: string): Promise<string> {
	await rm(profileOf(suite), { recursive: true, force: true });
	await rm(picturesOf(suite), { recursive: true, force: true });
	return await ensureChromium(suite);
}
