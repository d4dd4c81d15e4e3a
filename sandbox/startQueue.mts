import { choosePorts } from './shared/ports.mts';
import { Failure } from './shared/failure.mts';
import { introduction } from './introduction.mts';
import { runCommand } from './shared/lifetime.mts';
import { holdLock } from './shared/lock.mts';
import { stateFolder } from './shared/paths.mts';
import { startSandbox } from './stack.mts';
import { startQueueMode, type Part, type QueueMode } from './deployment/queueMode.mts';

const userFolder = stateFolder('sandbox-queue');
const log = console.log;

/** A limit, so that a process that cannot run is not restarted forever. */
const restarts = 5;

async function main(isOver: () => boolean): Promise<number> {
	if (!(await holdLock('start-queue'))) {
		throw new Failure(
			'Queue mode of this checkout is already running in another terminal: press Ctrl-C there first.',
		);
	}
	const ports = await choosePorts('npm run sandbox:queue');
	const start = () => startQueueMode({ userFolder, port: ports.n8n, log });
	const sandbox = await startSandbox({ userFolder, ports }, start);
	const { service, mailbox, n8n } = sandbox;
	if (!isOver()) log(introduction(sandbox) + aboutQueue(n8n));
	const supervised = n8n.parts.map((part) => supervise(part, isOver));
	const how = await Promise.race([service.ended, mailbox.ended, ...supervised]);
	if (!isOver())
		console.error(`${how} while the sandbox was running; stopping the rest. Logs: ${userFolder}`);
	return 1;
}

/** Restarts a process that ends early; resolves if that happens too often, or on shutdown. */
async function supervise(part: Part, isOver: () => boolean): Promise<string> {
	for (let left = restarts; ; left--) {
		const how = await part.ended;
		if (isOver() || left === 0) return how;
		log(`${how}; restarting it (${left} times at most).`);
		await part.start();
		log(`The ${part.name} is up again, as process ${part.pid}.`);
	}
}

const roles: Record<string, string> = {
	main: 'editor, test URLs, ends waits',
	worker: 'runs executions',
	webhook: 'production URLs, forms',
	redis: 'the queue',
	postgres: 'workflows, credentials, executions',
};

/** How this differs from a single n8n, and what to look at. */
function aboutQueue(queue: QueueMode): string {
	const { url, parts, main, workers, proxyLog } = queue;
	const lines = parts.map(({ name, port, pid }) => {
		const role = roles[name.replace(/-\d+$/, '')] ?? '';
		return `  ${name.padEnd(11)} ${String(port).padEnd(6)} ${String(pid).padEnd(8)} ${role}`;
	});
	const [worker = main] = workers;
	return `
This is queue mode: a load balancer receives every request at ${url} and passes it on to these processes.

  name        port   process
${lines.join('\n')}

What to look at:

  Who responded to what  tail -f ${proxyLog}
  Who ran an execution   tail -f ${workers.map(({ logFile }) => logFile).join(' ')}
  Is a worker healthy    curl http://127.0.0.1:${worker.port}/healthz/readiness
  What a crash does      kill -9 ${worker.pid}    it is restarted, up to five times
`;
}

await runCommand(main, 0);
