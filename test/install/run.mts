import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureN8nInstalled } from '../../sandbox/n8n/install.mts';
import { startN8n } from '../../sandbox/n8n/n8n.mts';
import { installNodePackage } from '../../sandbox/n8n/nodePackage.mts';
import { signIn } from '../../sandbox/n8n/owner.mts';
import { createRest } from '../../sandbox/n8n/rest.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import { runCommand } from '../../sandbox/shared/lifetime.mts';
import { holdLock } from '../../sandbox/shared/lock.mts';
import { packageName } from '../../sandbox/shared/paths.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { startService } from '../../sandbox/shared/service.mts';
import { ensureChromium } from '../browser/support/chromium.mts';
import { runFiles } from '../e2e/support/runFiles.mts';
import { npmVariables, writeNpmSettings } from './support/npmSettings.mts';
import { startRegistry } from './support/registry.mts';
import { ensureRegistryInstalled } from './support/registryInstall.mts';
import { passOn } from './support/variables.mts';

// Usage: node test/install/run.mts [word]: only the files whose name contains the word.

async function chooseFiles(word: string): Promise<string[]> {
	const all = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.test.mts'));
	const chosen = all.filter((name) => name.includes(word)).sort();
	if (chosen.length === 0) {
		throw new Failure(`No file has "${word}" in its name; there are: ${all.sort().join(', ')}.`);
	}
	return chosen.map((name) => path.join(import.meta.dirname, name));
}

/** The programs, which may need the network and a minute, and the package as it is published. */
async function prepare(userFolder: string) {
	await ensureN8nInstalled(console.log);
	await ensureRegistryInstalled(console.log);
	const browser = await ensureChromium(console.log, path.join(userFolder, 'chromium.log'));
	// Into a folder that no n8n runs on: only the tarball counts here.
	const unused = path.join(userFolder, 'packed');
	return { browser, tarball: await installNodePackage({ userFolder: unused, log: console.log }) };
}

/** The registry, the service, and an n8n that has never heard of the package. */
async function startEverything(userFolder: string) {
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
		startService({ port: servicePort, logFile: path.join(userFolder, 'service.log') }),
	]);
	await signIn(createRest(n8n.url), userFolder);
	return { n8n, service, registry };
}

/**
 * A new folder for everything of this run, outside the checkout: inside it the installed package
 * would find the n8n-workflow that it is built with, before n8n's own. Only failed tests leave it.
 */
async function makeUserFolder() {
	const folder = await mkdtemp(path.join(tmpdir(), `${packageName}-install-`));
	const remove = () => rmSync(folder, { recursive: true, force: true });
	process.once('exit', remove);
	// The same last name each time: n8n's static cache is kept under it.
	const userFolder = path.join(folder, '.install');
	await mkdir(userFolder);
	return { userFolder, keep: () => process.off('exit', remove) };
}

async function main(): Promise<number> {
	const files = await chooseFiles(process.argv[2] ?? '');
	if (!(await holdLock('install-test'))) {
		throw new Failure('The installation test of this checkout is running already: wait for it.');
	}
	const { userFolder, keep } = await makeUserFolder();
	const { browser, tarball } = await prepare(userFolder);
	const { n8n, service, registry } = await startEverything(userFolder);
	passOn({ registryUrl: registry.url, tarball, browser });
	const { passed, failed } = await runFiles(files, {
		n8nUrl: n8n.url,
		serviceUrl: service.url,
		userFolder,
		// Each file logs in itself.
		session: '',
	});
	if (failed > 0) {
		keep();
		console.log(`\nAll logs are in ${userFolder}`);
	}
	console.log(`\n${passed} passed, ${failed} failed`);
	return failed === 0 ? 0 : 1;
}

await runCommand(main, 130);
