import { cp, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { startN8n, type RunningN8n } from '../../sandbox/n8n/n8n.mts';
import { signIn } from '../../sandbox/n8n/owner.mts';
import { createRest } from '../../sandbox/n8n/rest.mts';
import { startMailbox } from '../../sandbox/shared/mailbox.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { userFolder } from './environment.mts';

/**
 * Starts a separate n8n for the test file, with the package under test and in a folder `name`. It may
 * be stopped or killed, and started again with other variables: address, folder and session
 * stay the same.
 */
export async function startOwnN8n(name: string, env?: Record<string, string>) {
	const folder = path.join(userFolder, name);
	const nodes = path.join('.n8n', 'nodes');
	// Left over from an earlier run, if n8n is kept between runs.
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { mode: 0o700 });
	await cp(path.join(userFolder, nodes), path.join(folder, nodes), { recursive: true });
	const [port = 0, runnersBrokerPort = 0] = await freePorts(2);
	let running: RunningN8n;
	const start = async (variables?: Record<string, string>) => {
		const options = { userFolder: folder, port, runnersBrokerPort, env: variables };
		running = await startN8n({ ...options, log: () => undefined });
	};
	await start(env);
	const url = `http://127.0.0.1:${port}`;
	const rest = createRest(url);
	await signIn(rest, folder);
	return { url, rest, folder, start, kill: () => running.kill(), stop: () => running.stop() };
}

/** Starts a separate mailbox for the test file, which ends with its tests. */
export async function startOwnMailbox(name: string) {
	const [port = 0, smtpPort = 0] = await freePorts(2);
	const logFile = path.join(userFolder, `mailbox-${name}.log`);
	const mailbox = await startMailbox({ port, smtpPort, logFile });
	afterAll(() => mailbox.stop());
	return mailbox;
}
