import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { startN8n } from '../../sandbox/n8n/n8n.mts';
import { installNodePackage, packNodePackage } from '../../sandbox/n8n/nodePackage.mts';
import { signIn } from '../../sandbox/n8n/owner.mts';
import { createRest } from '../../sandbox/n8n/rest.mts';
import { Failure, messageOf } from '../../sandbox/shared/failure.mts';
import { runCommand } from '../../sandbox/shared/lifetime.mts';
import { holdLock } from '../../sandbox/shared/lock.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { stopAllServers } from '../../sandbox/shared/server.mts';
import { startService } from '../../sandbox/shared/service.mts';
import { runFiles, type Counts, type Outcome } from '../e2e/support/runFiles.mts';
import { logIn } from '../e2e/support/session.mts';
import { clean, ensureVersionInstalled, nodeOf } from './support/installation.mts';
import { store, table, type Result } from './support/table.mts';
import { checkVersion, defaultVersions } from './support/versions.mts';

// Usage: node test/compatibility/run.mts [version ...] [--clean]
// --clean removes each version once it is tested; without versions it removes all that are there.
// The table and .data/results.json hold every version that was tested with this very package.

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

/** The package that all versions are tested with. */
async function packOnce(): Promise<string> {
	const folder = path.join(dataFolder, 'package');
	await rm(folder, { recursive: true, force: true });
	return await packNodePackage(folder, console.log, path.join(dataFolder, 'package.log'));
}

/** A fresh n8n of the version with the package, and the service; nothing of an earlier run. */
async function startEverything(version: string, installation: string, tarball: string) {
	const userFolder = path.join(dataFolder, version);
	await rm(userFolder, { recursive: true, force: true });
	await mkdir(userFolder, { recursive: true, mode: 0o700 });
	await installNodePackage({ userFolder, installation, tarball, log: console.log });
	const [port = 0, servicePort = 0, runnersBrokerPort = 0] = await freePorts(3);
	const [n8n, service] = await Promise.all([
		startN8n({ userFolder, installation, port, runnersBrokerPort, env, log: console.log }),
		startService({ port: servicePort, logFile: path.join(userFolder, 'service.log') }),
	]);
	await signIn(createRest(n8n.url), userFolder);
	const session = await logIn(n8n.url, userFolder);
	return { n8nUrl: n8n.url, serviceUrl: service.url, userFolder, session };
}

async function testVersion(version: string, tarball: string): Promise<Result> {
	console.log(`\nn8n ${version}`);
	const name = path.basename(tarball);
	const result: Result = { n8n: version, node: '', tarball: name, outcomes: [] };
	try {
		const installation = await ensureVersionInstalled(version, console.log);
		result.node = await nodeOf(installation);
		const addresses = await startEverything(version, installation, tarball);
		const onTest = (outcome: Outcome) => result.outcomes.push(outcome);
		result.counts = await runFiles(await testFiles(), addresses, onTest);
	} catch (error) {
		result.broken = messageOf(error);
	} finally {
		await stopAllServers();
	}
	return result;
}

/** What failed: tests, files that broke off, and versions that did not start. */
function count(results: Result[]): Counts {
	const all = results.map(({ counts = { passed: 0, failed: 1 } }) => counts);
	const sum = (what: keyof Counts) => all.reduce((total, counts) => total + counts[what], 0);
	return { passed: sum('passed'), failed: sum('failed') };
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
	const tarball = await packOnce();
	const results: Result[] = [];
	let stored: Result[] = [];
	for (const version of asked.length > 0 ? asked : defaultVersions) {
		const result = await testVersion(version, tarball);
		results.push(result);
		stored = await store(resultFile, result);
		if (cleans) await clean(version);
	}
	console.log(`\n${table(stored)}\n`);
	const { passed, failed } = count(results);
	if (failed > 0) console.log(`The logs are in ${dataFolder}`);
	console.log(`${passed} passed, ${failed} failed`);
	return failed === 0 ? 0 : 1;
}

await runCommand(main, 130);
