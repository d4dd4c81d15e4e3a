import path from 'node:path';
import { choosePorts } from '../shared/choosePorts.mts';
import { Failure } from '../shared/failure.mts';
import { runCommand } from '../shared/lifetime.mts';
import { holdLock } from '../shared/lock.mts';
import { root } from '../shared/paths.mts';
import { queueIntroduction } from './introduction.mts';
import { startQueueStack } from './stack.mts';
import { supervise } from './supervise.mts';

async function main(isOver: () => boolean): Promise<number> {
	if (!(await holdLock('start-queue'))) {
		throw new Failure('The queue mode of this checkout is running already: stop it there first.');
	}
	const ports = await choosePorts('npm run sandbox:queue');
	const userFolder = path.join(root, '.sandbox-queue');
	const stack = await startQueueStack({ userFolder, ports, log: console.log });
	if (!isOver()) console.log(queueIntroduction(stack));
	const { main: editor, workers, webhooks, redis, postgres } = stack.queue;
	const parts = [editor, ...workers, ...webhooks, redis, postgres];
	const how = await Promise.race([
		stack.service.ended,
		stack.mailbox.ended,
		...parts.map((part) => supervise(part, isOver, console.log)),
	]);
	if (!isOver())
		console.error(`${how} while the sandbox was running; stopping the rest. Logs: ${userFolder}`);
	return 1;
}

await runCommand(main, 0);
