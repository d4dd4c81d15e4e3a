import path from 'node:path';
import { owner } from './n8n/setup.mts';
import { Failure } from './shared/failure.mts';
import { runCommand } from './shared/lifetime.mts';
import { holdLock } from './shared/lock.mts';
import { root } from './shared/paths.mts';
import { freePorts, isPortFree } from './shared/ports.mts';
import { startStack, type Stack } from './shared/stack.mts';

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
		`Port ${port} for ${what} is busy: stop what uses it, or choose another one with ${variable}=${port + 10} npm start.`,
	);
}

async function choosePorts() {
	const n8n = await choosePort('n8n', 'SANDBOX_N8N_PORT', 5678);
	const service = await choosePort('the service', 'SANDBOX_SERVICE_PORT', 4010);
	const isBrokerFree =
		![n8n, service].includes(defaultBrokerPort) && (await isPortFree(defaultBrokerPort));
	const [other = defaultBrokerPort] = await freePorts(1);
	return { n8n, service, broker: isBrokerFree ? defaultBrokerPort : other };
}

function introduce({ n8n, service, workspace }: Stack): string {
	const { createRequest, onCompleted } = workspace;
	return `
The sandbox is running.

  n8n editor        ${n8n.url}
  Log in with       ${owner.email}  /  ${owner.password}
  Service console   ${service.url}
  API docs          ${service.url}/docs

What to try:
  1. Open ${n8n.url}/workflow/${createRequest.id} and press "Execute workflow": everything is filled in, a collection request is created and the last node shows its guest link.
  2. Open the guest link, join as ada@example.com and as ben@example.com, and submit both forms: the service then reports the request as completed.
  3. Open ${n8n.url}/workflow/${onCompleted.id} and look at Executions: the signed notification has started it, and it has read the answers.

n8n's log: ${n8n.logFile}
Ctrl-C stops everything; your workflows and credentials stay for the next start, collection requests are forgotten.
`;
}

async function main(isOver: () => boolean): Promise<number> {
	if (!(await holdLock('start'))) {
		throw new Failure('The sandbox of this checkout is running already: stop it there first.');
	}
	const ports = await choosePorts();
	const userFolder = path.join(root, '.sandbox');
	const stack = await startStack({ userFolder, ports, log: console.log });
	if (!isOver()) console.log(introduce(stack));
	const how = await Promise.race([stack.n8n.ended, stack.service.ended]);
	if (!isOver())
		console.error(`${how} while the sandbox was running; stopping the rest. Logs: ${userFolder}`);
	return 1;
}

await runCommand(main, 0);
