import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { startQueueMode } from '../../sandbox/queue/queueMode.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import { runCommand } from '../../sandbox/shared/lifetime.mts';
import { holdLock } from '../../sandbox/shared/lock.mts';
import { root } from '../../sandbox/shared/paths.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { startService } from '../../sandbox/shared/service.mts';
import { runFiles } from '../e2e/support/runFiles.mts';
import { logIn } from '../e2e/support/session.mts';
import { queueVariables } from '../e2e/support/variables.mts';
import { serveControl } from './support/control.mts';

// Usage: node test/queue/run.mts [word]: only the files whose name contains the word.

const userFolder = path.join(root, '.queue');
const e2e = path.join(root, 'test', 'e2e');

/** End-to-end tests that have to hold in queue mode as they are. */
const shared = [
	'credential-test.test.mts',
	'deliveries-bodies.test.mts',
	'deliveries-headers.test.mts',
	'deliveries-times.test.mts',
	'main-flow.test.mts',
	'waiting-ends.test.mts',
	'waiting-flows.test.mts',
	'waiting-limits.test.mts',
	'waiting.test.mts',
];

/** Looks at what all the others have left behind. */
const lastFile = 'leaks.test.mts';

/** On a busy machine n8n does not get to its own database for longer than the usual 5 s. */
const patient = { DB_PING_TIMEOUT_MS: '60000' };

async function chooseFiles(word: string): Promise<string[]> {
	const own = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.test.mts'));
	const place = (name: string) => Number(name === lastFile);
	const all = [
		...shared.map((name) => path.join(e2e, name)),
		...own
			.sort((one, other) => place(one) - place(other))
			.map((name) => path.join(import.meta.dirname, name)),
	];
	const chosen = all.filter((file) => path.basename(file).includes(word));
	if (chosen.length > 0) return chosen;
	const names = all.map((file) => path.basename(file)).join(', ');
	throw new Failure(`No file has "${word}" in its name; there are: ${names}.`);
}

async function startEverything() {
	await rm(userFolder, { recursive: true, force: true });
	const [servicePort = 0] = await freePorts(1);
	const [queue, service] = await Promise.all([
		startQueueMode({ userFolder, env: patient, log: console.log }),
		startService({ port: servicePort, logFile: path.join(userFolder, 'service.log') }),
	]);
	const processes = [queue.main, ...queue.workers, ...queue.webhooks];
	const logs = processes.map(({ logFile }) => logFile);
	process.env[queueVariables.logs] = logs.join(path.delimiter);
	process.env[queueVariables.control] = await serveControl([
		...processes,
		queue.redis,
		queue.postgres,
	]);
	Object.assign(process.env, queue.databaseEnv);
	return { queue, service, session: await logIn(queue.url, userFolder) };
}

async function main(): Promise<number> {
	const started = Date.now();
	const files = await chooseFiles(process.argv[2] ?? '');
	if (!(await holdLock('queue'))) {
		throw new Failure('The queue mode tests of this checkout are running already: wait for them.');
	}
	const { queue, service, session } = await startEverything();
	const seconds = () => Math.round((Date.now() - started) / 1000);
	console.log(`Queue mode is up after ${seconds()} s.\n`);
	const { passed, failed } = await runFiles(files, {
		n8nUrl: queue.url,
		serviceUrl: service.url,
		userFolder,
		session,
	});
	await queue.stop();
	if (failed > 0) console.log(`\nThe logs of all processes are in ${userFolder}`);
	console.log(`\nAll of it took ${seconds()} s.\n${passed} passed, ${failed} failed`);
	return failed === 0 ? 0 : 1;
}

await runCommand(main, 130);
