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
import { root } from '../../sandbox/shared/paths.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { startService } from '../../sandbox/shared/service.mts';
import { runFiles } from './support/runFiles.mts';
import { logIn } from './support/session.mts';

// Usage: node test/e2e/run.mts [word...]: only the files whose name contains one of the words, and
// none of those with a minus before them.

const words = process.argv.slice(2);
const without = words.filter((word) => word.startsWith('-')).map((word) => word.slice(1));
const wanted = words.filter((word) => !word.startsWith('-'));
/** The rest may run beside what it leaves out. */
const name = without.length > 0 ? 'e2e-rest' : 'e2e';
const userFolder = path.join(root, `.${name}`);
/** Looks at what all the others have left behind. */
const lastFile = 'leaks.test.mts';

/** On a busy machine a burst keeps n8n from its own database for longer than the usual 5 s. */
const patient = { DB_PING_TIMEOUT_MS: '60000' };

async function chooseFiles(): Promise<string[]> {
	const all = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.test.mts'));
	const hasOneOf = (list: string[]) => (file: string) => list.some((word) => file.includes(word));
	const chosen = all
		.filter(wanted.length > 0 ? hasOneOf(wanted) : () => true)
		.filter((file) => !hasOneOf(without)(file))
		.sort();
	if (chosen.length === 0) {
		throw new Failure(
			`No file has "${words.join(' ')}" in its name; there are: ${all.sort().join(', ')}.`,
		);
	}
	const ordered = chosen.filter((file) => file !== lastFile);
	if (chosen.includes(lastFile)) ordered.push(lastFile);
	return ordered.map((file) => path.join(import.meta.dirname, file));
}

async function startEverything() {
	await ensureN8nInstalled(console.log);
	await rm(userFolder, { recursive: true, force: true });
	await mkdir(userFolder, { mode: 0o700 });
	await installNodePackage({ userFolder, log: console.log });
	const [n8nPort = 0, servicePort = 0, runnersBrokerPort = 0] = await freePorts(3);
	const n8nOptions = {
		userFolder,
		port: n8nPort,
		runnersBrokerPort,
		env: patient,
		log: console.log,
	};
	const [n8n, service] = await Promise.all([
		startN8n(n8nOptions),
		startService({ port: servicePort, logFile: path.join(userFolder, 'service.log') }),
	]);
	await signIn(createRest(n8n.url), userFolder);
	return { n8n, service, session: await logIn(n8n.url, userFolder) };
}

async function main(): Promise<number> {
	const files = await chooseFiles();
	if (!(await holdLock(name))) {
		throw new Failure('The end-to-end tests of this checkout are running already: wait for them.');
	}
	const { n8n, service, session } = await startEverything();
	const { passed, failed } = await runFiles(files, {
		n8nUrl: n8n.url,
		serviceUrl: service.url,
		userFolder,
		session,
	});
	if (failed > 0) console.log(`\nThe logs of n8n and of the service are in ${userFolder}`);
	console.log(`\n${passed} passed, ${failed} failed`);
	return failed === 0 ? 0 : 1;
}

await runCommand(main, 130);
