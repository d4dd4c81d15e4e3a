import { mkdir } from 'node:fs/promises';
import { startMailbox } from './mailbox/start.mts';
import { ensureN8nInstalled } from './n8n/install.mts';
import { startN8n } from './n8n/n8n.mts';
import { installNodePackage } from './n8n/nodePackage.mts';
import { signIn } from './n8n/owner.mts';
import { createRest } from './n8n/rest.mts';
import { prepareWorkspace } from './n8n/setup.mts';
import { startQueueMode } from './queueMode/queueMode.mts';
import { startService } from './service/start.mts';
import { freePorts } from './shared/ports.mts';

interface SandboxOptions {
	userFolder: string;
	ports: Record<'n8n' | 'service' | 'mailbox' | 'smtp', number>;
	/** In how many processes n8n runs; in `dev`, it reloads the package when its files change. */
	mode: 'usual' | 'dev' | 'queue';
}

/** What is running. */
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** Starts the service, the mailbox and n8n, and adds credentials and examples. */
export async function startSandbox({ userFolder, ports, mode }: SandboxOptions) {
	await mkdir(userFolder, { recursive: true, mode: 0o700 });
	const [service, mailbox, n8n] = await Promise.all([
		startService(ports.service),
		startMailbox({ port: ports.mailbox, smtp: ports.smtp }),
		mode === 'queue'
			? startQueueMode({ userFolder, port: ports.n8n })
			: startOneProcess(userFolder, ports.n8n, mode === 'dev'),
	]);
	const { rest, url: n8nUrl } = n8n;
	const smtpPort = ports.smtp;
	const workspace = await prepareWorkspace({ rest, n8nUrl, userFolder, service, smtpPort });
	return { service, mailbox, n8n, workspace };
}

async function startOneProcess(userFolder: string, port: number, reloads: boolean) {
	await Promise.all([installNodePackage(userFolder), ensureN8nInstalled()]);
	console.log('Starting n8n (its first start takes about half a minute).');
	// Not n8n's default, which two sandboxes starting together would both choose.
	const [runnersBrokerPort = 0] = await freePorts(1);
	const env = reloads ? { N8N_DEV_RELOAD: 'true' } : undefined;
	const n8n = await startN8n({ userFolder, port, runnersBrokerPort, env });
	const rest = createRest(n8n.url);
	const owner = await signIn(rest, userFolder);
	return { ...n8n, rest, owner, parts: [n8n] };
}
