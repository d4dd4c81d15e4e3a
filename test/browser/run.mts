import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { ensureN8nInstalled } from '../../sandbox/n8n/install.mts';
import { startN8n } from '../../sandbox/n8n/n8n.mts';
import { installNodePackage } from '../../sandbox/n8n/nodePackage.mts';
import { signIn } from '../../sandbox/n8n/owner.mts';
import { createRest } from '../../sandbox/n8n/rest.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import { runCommand } from '../../sandbox/shared/lifetime.mts';
import { holdLock } from '../../sandbox/shared/lock.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { startService } from '../../sandbox/shared/service.mts';
import { runFiles } from '../e2e/support/runFiles.mts';
import { logIn } from '../e2e/support/session.mts';
import { ensureChromium } from './support/chromium.mts';
import { pictures, profile, userFolder } from './support/folders.mts';

// Usage: node test/browser/run.mts [word]: only the files whose name contains the word.

async function chooseFiles(word: string): Promise<string[]> {
	const all = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.test.mts'));
	const chosen = all.filter((name) => name.includes(word)).sort();
	if (chosen.length === 0) {
		throw new Failure(`No file has "${word}" in its name; there are: ${all.sort().join(', ')}.`);
	}
	return chosen.map((name) => path.join(import.meta.dirname, name));
}

/** What an earlier run has left would be taken for this run's. */
async function startAfresh(): Promise<void> {
	for (const folder of [userFolder, profile, pictures]) {
		await rm(folder, { recursive: true, force: true });
		await mkdir(folder, { recursive: true, mode: 0o700 });
	}
}

async function startEverything() {
	await ensureN8nInstalled(console.log);
	await startAfresh();
	const browser = await ensureChromium(console.log, path.join(userFolder, 'chromium.log'));
	await installNodePackage({ userFolder, log: console.log });
	const [port = 0, servicePort = 0, runnersBrokerPort = 0] = await freePorts(3);
	const [n8n, service] = await Promise.all([
		startN8n({ userFolder, port, runnersBrokerPort, log: console.log }),
		startService({ port: servicePort, logFile: path.join(userFolder, 'service.log') }),
	]);
	await signIn(createRest(n8n.url), userFolder);
	return { n8n, service, browser, session: await logIn(n8n.url, userFolder) };
}

async function main(): Promise<number> {
	const files = await chooseFiles(process.argv[2] ?? '');
	if (!(await holdLock('browser'))) {
		throw new Failure('The browser tests of this checkout are running already: wait for them.');
	}
	const { n8n, service, browser, session } = await startEverything();
	process.env.BROWSER_PATH = browser;
	const { passed, failed } = await runFiles(files, {
		n8nUrl: n8n.url,
		serviceUrl: service.url,
		userFolder,
		session,
	});
	console.log(`\nThe pictures are in ${pictures}`);
	if (failed > 0) console.log(`The logs of n8n and of the service are in ${userFolder}`);
	console.log(`\n${passed} passed, ${failed} failed`);
	return failed === 0 ? 0 : 1;
}

await runCommand(main, 130);
