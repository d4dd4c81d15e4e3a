import { mkdir } from 'node:fs/promises';
import { startMailbox } from './mailbox/start.mts';
import { ensureN8nInstalled } from './n8n/install.mts';
import { startN8n } from './n8n/n8n.mts';
import { installNodePackage } from './n8n/nodePackage.mts';
import { signIn } from './n8n/owner.mts';
import { createRest, type N8nRest } from './n8n/rest.mts';
import { prepareWorkspace } from './n8n/setup.mts';
import type { Owner } from './n8n/types.mts';
import { startService } from './service/start.mts';
import type { Log } from './shared/failure.mts';
import { serviceCredential } from './shared/service.mts';

interface StackOptions {
	userFolder: string;
	ports: { n8n: number; service: number; mailbox: number; smtp: number; broker: number };
	/** Whether n8n reloads the package when its files change. */
	reloads?: boolean;
	log: Log;
}

/** An n8n with its owner logged in: one process, or several behind one address. */
type SignedIn = { url: string; logFile: string; rest: N8nRest; owner: Owner };

/** What is running, in one n8n process or several. */
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;
export type Stack = Awaited<ReturnType<typeof startStack>>;

/** Starts the service, the mailbox and n8n (with `start`), and adds credentials and examples. */
export async function startSandbox<N extends SignedIn>(
	{ userFolder, ports }: { userFolder: string; ports: Omit<StackOptions['ports'], 'broker'> },
	start: () => Promise<N>,
) {
	await mkdir(userFolder, { recursive: true, mode: 0o700 });
	const [service, mailbox, n8n] = await Promise.all([
		startService(ports.service),
		startMailbox({ port: ports.mailbox, smtp: ports.smtp }),
		start(),
	]);
	const workspace = await prepareWorkspace({
		rest: n8n.rest,
		n8nUrl: n8n.url,
		userFolder,
		service: { url: service.url, ...serviceCredential },
		smtpPort: ports.smtp,
	});
	return { service, mailbox, n8n, workspace };
}

/** Starts the sandbox with an n8n in one process and the package; the caller handles Ctrl-C. */
export async function startStack(options: StackOptions) {
	const { userFolder, ports, reloads = false, log } = options;
	const env = reloads ? { N8N_DEV_RELOAD: 'true' } : undefined;
	await mkdir(userFolder, { recursive: true, mode: 0o700 });
	const [tarball] = await Promise.all([
		installNodePackage({ userFolder, log }),
		ensureN8nInstalled(log),
	]);
	return await startSandbox(options, async () => {
		const { n8n: port, broker: runnersBrokerPort } = ports;
		const n8n = await startN8n({ userFolder, port, runnersBrokerPort, env, log });
		const rest = createRest(n8n.url);
		return Object.assign(n8n, { tarball, rest, owner: await signIn(rest, userFolder) });
	});
}
