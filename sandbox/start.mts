import path from 'node:path';
import { execa } from 'execa';
import { packageFolder } from './n8n/nodePackage.mts';
import { chooseBrokerPort, choosePorts } from './shared/ports.mts';
import { introduction } from './introduction.mts';
import { Failure } from './shared/failure.mts';
import { runCommand } from './shared/lifetime.mts';
import { holdLock } from './shared/lock.mts';
import { root, stateFolder } from './shared/paths.mts';
import { startStack } from './stack.mts';

// Usage: node sandbox/start.mts [--dev]. With --dev, n8n loads changes to the product.

const isDev = process.argv.includes('--dev');
const command = isDev ? 'npm run dev' : 'npm start';
/** Two folders: one has the package as npm packs it, the other the source as last saved. */
const userFolder = stateFolder(isDev ? 'dev' : 'sandbox');

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
	if (!(await holdLock(isDev ? 'dev' : 'start'))) {
		throw new Failure(
			'The sandbox of this checkout is already running in another terminal: press Ctrl-C there first.',
		);
	}
	const chosen = await choosePorts(command);
	const ports = { ...chosen, broker: await chooseBrokerPort(Object.values(chosen)) };
	const stack = await startStack({ userFolder, ports, reloads: isDev, log: console.log });
	if (!isOver()) console.log(introduction(stack));
	const ends = [stack.n8n.ended, stack.service.ended, stack.mailbox.ended];
	if (isDev && !isOver()) {
		console.log(
			'Save a file in nodes/ or credentials/, and the change is in the editor a few seconds later.',
		);
		ends.push(compileOnChange());
	}
	const how = await Promise.race(ends);
	if (!isOver())
		console.error(`${how} while the sandbox was running; stopping the rest. Logs: ${userFolder}`);
	return 1;
}

await runCommand(main, 0);
