import path from 'node:path';
import { introduction } from './shared/introduction.mts';
import { Failure } from './shared/failure.mts';
import { runCommand } from './shared/lifetime.mts';
import { holdLock } from './shared/lock.mts';
import { root } from './shared/paths.mts';
import { freePorts, isPortFree } from './shared/ports.mts';
import { startStack } from './shared/stack.mts';

const defaultBrokerPort = 5679;

/** The port from the environment or the default; a Failure when it is invalid or busy. */
async function choosePort(what: string, variable: string, byDefault: number): Promise<number> {
	const given = process.env[variable] ?? '';
	const port = given === '' ? byDefault : Number(given);
	if (!Number.isInteger(port) || port < 1 || port > 65_535) {
		throw new Failure(`${variable} is "${given}": set it to a port number, e.g. ${byDefault}.`);
	}
	if (await isPortFree(port)) return port;
	throw new Failure(
		`Port ${port} for ${what} is busy: stop what uses it, or choose another one with ${variable}=${port + 1000} npm start.`,
	);
}

async function choosePorts() {
	const chosen = {
		n8n: await choosePort('n8n', 'SANDBOX_N8N_PORT', 5678),
		service: await choosePort('the service', 'SANDBOX_SERVICE_PORT', 4010),
		mailbox: await choosePort("the mailbox's page", 'SANDBOX_MAILBOX_PORT', 4020),
		smtp: await choosePort('the mailbox (SMTP)', 'SANDBOX_SMTP_PORT', 4025),
	};
	if (new Set(Object.values(chosen)).size < Object.keys(chosen).length) {
		throw new Failure(
			'n8n, the service, the mailbox and its SMTP each need a port of their own: two of the SANDBOX_..._PORT variables name the same.',
		);
	}
	const isBrokerFree =
		!Object.values(chosen).includes(defaultBrokerPort) && (await isPortFree(defaultBrokerPort));
	const [other = defaultBrokerPort] = await freePorts(1);
	return { ...chosen, broker: isBrokerFree ? defaultBrokerPort : other };
}

async function main(isOver: () => boolean): Promise<number> {
	if (!(await holdLock('start'))) {
		throw new Failure(
			'The sandbox of this checkout runs in another terminal already: press Ctrl-C there first.',
		);
	}
	const ports = await choosePorts();
	const userFolder = path.join(root, '.sandbox');
	const stack = await startStack({ userFolder, ports, log: console.log });
	if (!isOver()) console.log(introduction(stack));
	const how = await Promise.race([stack.n8n.ended, stack.service.ended, stack.mailbox.ended]);
	if (!isOver())
		console.error(`${how} while the sandbox was running; stopping the rest. Logs: ${userFolder}`);
	return 1;
}

await runCommand(main, 0);
