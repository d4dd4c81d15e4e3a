import path from 'node:path';
import { chooseBrokerPort, choosePorts } from './shared/choosePorts.mts';
import { introduction } from './shared/introduction.mts';
import { Failure } from './shared/failure.mts';
import { runCommand } from './shared/lifetime.mts';
import { holdLock } from './shared/lock.mts';
import { root } from './shared/paths.mts';
import { startStack } from './shared/stack.mts';

async function main(isOver: () => boolean): Promise<number> {
	if (!(await holdLock('start'))) {
		throw new Failure('The sandbox of this checkout is running already: stop it there first.');
	}
	const chosen = await choosePorts('npm start');
	const ports = { ...chosen, broker: await chooseBrokerPort(Object.values(chosen)) };
	const userFolder = path.join(root, '.sandbox');
	const stack = await startStack({ userFolder, ports, log: console.log });
	if (!isOver()) console.log(introduction(stack));
	const how = await Promise.race([stack.n8n.ended, stack.service.ended, stack.mailbox.ended]);
	if (!isOver())
		console.error(`${how} while the sandbox was running; stopping the rest. Logs: ${userFolder}`);
	return 1;
}

await runCommand(main, 0);
