import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packNodePackage } from '../../sandbox/n8n/nodePackage.mts';
import { packageName } from '../../sandbox/shared/paths.mts';
import { setUp, startBoth } from '../jest/suite.mts';
import { prepareChromium } from '../support/chromium.mts';
import { npmVariables, startRegistry, writeNpmSettings } from './support/registry.mts';

/**
 * A new folder for n8n, outside the checkout: inside it, the installed package would find the
 * n8n-workflow it is built with before n8n's own.
 */
async function makeUserFolder(): Promise<string> {
	const folder = await mkdtemp(path.join(tmpdir(), `${packageName}-install-`));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	// The same last name each time: n8n's static cache is stored under it.
	const userFolder = path.join(folder, '.install');
	await mkdir(userFolder);
	return userFolder;
}

/** An npm registry, the service, and an n8n that has never heard of the package. */
export default setUp(async (folder) => {
	const browser = await prepareChromium('install');
	const tarball = await packNodePackage(folder, console.log, path.join(folder, 'pack.log'));
	const userFolder = await makeUserFolder();
	const { registryUrl, stop } = await startRegistry();
	await writeNpmSettings(userFolder, registryUrl);
	const started = await startBoth(userFolder, { env: npmVariables(userFolder) });
	return { ...started, registryUrl, tarball, browser, stop };
});
