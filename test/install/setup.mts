import { mkdir, mkdtemp } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installNodePackage } from '../../sandbox/n8n/nodePackage.mts';
import { startN8n } from '../../sandbox/n8n/n8n.mts';
import { signIn } from '../../sandbox/n8n/owner.mts';
import { createRest } from '../../sandbox/n8n/rest.mts';
import { packageName } from '../../sandbox/shared/paths.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { startService } from '../../sandbox/shared/service.mts';
import { setUp } from '../runner/suite.mts';
import { ensureChromium } from '../support/chromium.mts';
import { npmVariables, writeNpmSettings } from './support/npmSettings.mts';
import { startRegistry } from './support/registry.mts';
import { ensureRegistryInstalled } from './support/registryInstall.mts';

/**
 * A new folder for n8n, outside the checkout: inside it the installed package would find the
 * n8n-workflow that it is built with, before n8n's own.
 */
async function makeUserFolder(): Promise<string> {
	const folder = await mkdtemp(path.join(tmpdir(), `${packageName}-install-`));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	// The same last name each time: n8n's static cache is kept under it.
	const userFolder = path.join(folder, '.install');
	await mkdir(userFolder);
	return userFolder;
}

/** An npm registry, the service, and an n8n that has never heard of the package. */
export default setUp(async (folder) => {
	await ensureRegistryInstalled(console.log);
	const browser = await ensureChromium(console.log, path.join(folder, 'chromium.log'));
	// Into a folder that no n8n runs on: only the tarball counts here.
	const tarball = await installNodePackage({ userFolder: folder, log: console.log });
	const userFolder = await makeUserFolder();
	const [port = 0, runnersBrokerPort = 0, servicePort = 0, registryPort = 0] = await freePorts(4);
	const registry = await startRegistry({
		folder: path.join(userFolder, 'registry'),
		port: registryPort,
		logFile: path.join(userFolder, 'registry.log'),
	});
	await writeNpmSettings(userFolder, registry.url);
	const env = npmVariables(userFolder);
	const [n8n, service] = await Promise.all([
		startN8n({ userFolder, port, runnersBrokerPort, env, log: console.log }),
		startService({ port: servicePort, logFile: path.join(folder, 'service.log') }),
	]);
	await signIn(createRest(n8n.url), userFolder);
	return {
		...{ n8nUrl: n8n.url, serviceUrl: service.url, registryUrl: registry.url },
		...{ userFolder, tarball, browser, logs: [n8n.logFile] },
		// Each file logs in itself.
		session: '',
	};
});
