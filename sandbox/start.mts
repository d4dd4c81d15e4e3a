import path from 'node:path';
import { execa } from 'execa';
import { startQueueMode, type QueueMode } from './queueMode/queueMode.mts';
import { introduction } from './introduction.mts';
import { packageFolder } from './n8n/nodePackage.mts';
import { Failure } from './shared/failure.mts';
import { runCommand } from './shared/lifetime.mts';
import { holdLock } from './shared/lock.mts';
import { root, stateFolder } from './shared/paths.mts';
import { choosePorts, freePorts } from './shared/ports.mts';
import { startSandbox, startStack } from './stack.mts';

// Usage: node sandbox/start.mts [--dev | --queue]. With --dev, n8n loads changes to the product; with
// --queue, n8n runs in queue mode. Each has a folder of its own.

const given = process.argv[2] ?? '';
const commands: Record<string, [command: string, folder: string]> = {
	'': ['npm start', 'sandbox'],
	'--dev': ['npm run dev', 'dev'],
	'--queue': ['npm run sandbox:queue', 'sandbox-queue'],
};
const [command, folder] = commands[given] ?? ['npm start', 'sandbox'];
const userFolder = stateFolder(folder);
const log = console.log;

/** Starts everything and says what there is; resolves to what the sandbox ends with. */
async function start(): Promise<Array<Promise<string>>> {
	const ports = await choosePorts(command);
	if (given === '--queue') {
		const startN8n = () => startQueueMode({ userFolder, port: ports.n8n, log });
		const sandbox = await startSandbox({ userFolder, ports }, startN8n);
		log(introduction(sandbox) + aboutQueue(sandbox.n8n));
		return sandbox.n8n.parts.map(({ ended }) => ended);
	}
	// Not n8n's default, which two sandboxes starting together would both choose.
	const [broker = 0] = await freePorts(1);
	const reloads = given === '--dev';
	const stack = await startStack({ userFolder, ports: { ...ports, broker }, reloads, log });
	log(introduction(stack));
	if (!reloads) return [stack.n8n.ended];
	log(
		'Save a file in nodes/ or credentials/, and the change is in the editor a few seconds later.',
	);
	return [stack.n8n.ended, compileOnChange()];
}

/** The processes of queue mode. */
function aboutQueue({ url, parts, loadBalancerLog }: QueueMode): string {
	const lines = parts.map(({ name, port }) => `  ${name.padEnd(11)} port ${port}`);
	return `
This is queue mode. A load balancer takes every request at ${url} and passes it on to one of these:

${lines.join('\n')}

Who responded to what: ${loadBalancerLog}
`;
}

/** Compiles the product into n8n after each change; resolves when the compiler ends. */
async function compileOnChange(): Promise<string> {
	const outDir = path.join(packageFolder(userFolder), 'dist');
	const tsc = path.join('node_modules', 'typescript', 'bin', 'tsc');
	const args = [tsc, '--watch', '--preserveWatchOutput', '--outDir', outDir];
	await execa(process.execPath, ['--import', './sandbox/shared/exitWithParent.mts', ...args], {
		cwd: root,
		stdio: ['ignore', 'inherit', 'inherit'],
		reject: false,
	});
	return 'The compiler ended';
}

async function main(isOver: () => boolean): Promise<number> {
	if (!(await holdLock(folder))) {
		throw new Failure(
			`"${command}" of this checkout is already running in another terminal: press Ctrl-C there first.`,
		);
	}
	const how = await Promise.race(await start());
	if (!isOver())
		console.error(`${how} while the sandbox was running; stopping the rest. Logs: ${userFolder}`);
	return 1;
}

await runCommand(main, 0);
