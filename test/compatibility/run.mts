import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startN8n } from '../../sandbox/n8n/n8n.mts';
import { installNodePackage } from '../../sandbox/n8n/nodePackage.mts';
import { createRest } from '../../sandbox/n8n/rest.mts';
import { signIn } from '../../sandbox/n8n/setup.mts';
import { Failure, messageOf } from '../../sandbox/shared/failure.mts';
import { runCommand } from '../../sandbox/shared/lifetime.mts';
import { holdLock } from '../../sandbox/shared/lock.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { stopAllServers } from '../../sandbox/shared/server.mts';
import { startService } from '../../sandbox/shared/service.mts';
import { runFiles, type Outcome } from '../e2e/support/runFiles.mts';
import { logIn } from '../e2e/support/session.mts';
import { clean, ensureVersionInstalled } from './support/installation.mts';
import { table, type Result } from './support/table.mts';
import { checkVersion, defaultVersions } from './support/versions.mts';

// Usage: node test/compatibility/run.mts [version ...] [--clean]
// --clean removes each version once it is tested; without versions it removes all that are there.

/** Older versions end at once when they are told to leave out a module that they do not have. */
const env = { N8N_DISABLED_MODULES: '', DB_PING_TIMEOUT_MS: '60000' };

const dataFolder = path.join(import.meta.dirname, '.data');
const resultFile = path.join(dataFolder, 'results.json');

/** The features of this folder, then what the end-to-end tests look for behind all of them. */
async function testFiles(): Promise<string[]> {
	const own = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.test.mts'));
	const leaks = path.join(import.meta.dirname, '..', 'e2e', 'leaks.test.mts');
	return [...own.sort().map((name) => path.join(import.meta.dirname, name)), leaks];
}

async function nodeOf(installation: string): Promise<string> {
	const file = path.join(installation, 'node_modules', 'node', 'package.json');
	return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version;
}

/** A fresh n8n of the version with the package, and the service; nothing of an earlier run. */
async function startEverything(version: string, installation: string) {
	const userFolder = path.join(dataFolder, version);
	await rm(userFolder, { recursive: true, force: true });
	await mkdir(userFolder, { recursive: true, mode: 0o700 });
	await installNodePackage({ userFolder, installation, log: console.log });
	const [port = 0, servicePort = 0, runnersBrokerPort = 0] = await freePorts(3);
	const [n8n, service] = await Promise.all([
		startN8n({ userFolder, installation, port, runnersBrokerPort, env, log: console.log }),
		startService({ port: servicePort, logFile: path.join(userFolder, 'service.log') }),
	]);
	await signIn(createRest(n8n.url));
	const session = await logIn(n8n.url);
	return { n8nUrl: n8n.url, serviceUrl: service.url, userFolder, session };
}

async function testVersion(version: string): Promise<Result> {
	console.log(`\nn8n ${version}`);
	const installation = await ensureVersionInstalled(version, console.log);
	const node = await nodeOf(installation);
	const outcomes: Outcome[] = [];
	try {
		const addresses = await startEverything(version, installation);
		await runFiles(await testFiles(), addresses, (outcome) => outcomes.push(outcome));
		return { n8n: version, node, outcomes };
	} catch (error) {
		return { n8n: version, node, outcomes, broken: messageOf(error) };
	} finally {
		await stopAllServers();
	}
}

async function main(): Promise<number> {
	const args = process.argv.slice(2);
	const cleans = args.includes('--clean');
	const asked = args.filter((arg) => arg !== '--clean').map(checkVersion);
	if (!(await holdLock('compatibility'))) {
		throw new Failure(
			'The compatibility tests of this checkout are running already: wait for them.',
		);
	}
	if (cleans && asked.length === 0) {
		await clean();
		console.log('Removed every installed version.');
		return 0;
	}
	const results: Result[] = [];
	for (const version of asked.length > 0 ? asked : defaultVersions) {
		results.push(await testVersion(version));
		if (cleans) await clean(version);
		await writeFile(resultFile, `${JSON.stringify(results, null, '\t')}\n`);
	}
	console.log(`\n${table(results)}\n`);
	const outcomes = results.flatMap((result) => result.outcomes);
	const passed = outcomes.filter((outcome) => outcome.passed).length;
	const broken = results.filter((result) => result.broken !== undefined).length;
	const failed = outcomes.length - passed + broken;
	if (failed > 0) console.log(`The logs are in ${dataFolder}`);
	console.log(`${passed} passed, ${failed} failed`);
	return failed === 0 ? 0 : 1;
}

await runCommand(main, 130);
