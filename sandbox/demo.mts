import { rm } from 'node:fs/promises';
import { runScenario } from './scenario.mts';
import { Failure, messageOf } from './shared/failure.mts';
import { runCommand } from './shared/lifetime.mts';
import { withLock } from './shared/lock.mts';
import { stateFolder } from './shared/paths.mts';
import { freePorts } from './shared/ports.mts';
import { stopAllServers } from './shared/server.mts';
import { startStack } from './stack.mts';

const userFolder = stateFolder('demo');

async function demo(): Promise<number> {
	const started = Date.now();
	await rm(userFolder, { recursive: true, force: true });
	const [n8n = 0, service = 0, mailbox = 0, smtp = 0, broker = 0] = await freePorts(5);
	const ports = { n8n, service, mailbox, smtp, broker };
	const log = (line: string) => console.log(`   ${line}`);
	console.log('The demo: a real n8n, the package and the service, from request to answers.\n');
	const stack = await startStack({ userFolder, ports, log });
	try {
		await runScenario(stack);
	} catch (error) {
		throw new Failure(`\nThe demo failed. ${messageOf(error)}\nn8n's log: ${stack.n8n.logFile}`);
	}
	await stopAllServers();
	const seconds = Math.round((Date.now() - started) / 1000);
	console.log(`\nThe demo succeeded in ${seconds} s; everything it started has been stopped.`);
	return 0;
}

const onWait = () => console.log('Another demo of this checkout is running; waiting for it.');
await runCommand(() => withLock('demo', onWait, demo), 130);
