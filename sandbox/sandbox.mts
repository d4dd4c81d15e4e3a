import { mkdir } from 'node:fs/promises';
import { startMailbox } from './mailbox.mts';
import { ensureN8nInstalled } from './n8n/install.mts';
import { startN8n } from './n8n/n8n.mts';
import { installNodePackage } from './n8n/nodePackage.mts';
import { signIn } from './n8n/owner.mts';
import { createRest } from './n8n/rest.mts';
import { prepareWorkspace } from './n8n/setup.mts';
import { freePorts } from './shared/ports.mts';

interface SandboxOptions {
	userFolder: string;
	ports: Record<'n8n' | 'mailbox', number>;
	/** Whether n8n loads the package again when its files change. */
	reloads?: boolean;
}

/** What is running. */
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** Starts n8n with the package, credentials and examples, and the mailbox. */
export async function startSandbox({ userFolder, ports, reloads }: SandboxOptions) {
	await mkdir(userFolder, { recursive: true, mode: 0o700 });
	await Promise.all([installNodePackage(userFolder), ensureN8nInstalled()]);
	console.log('Starting n8n (its first start takes about half a minute).');
	// Not n8n's default, which two sandboxes starting together would both choose.
	const [runnersBrokerPort = 0] = await freePorts(1);
	const env = reloads ? { N8N_DEV_RELOAD: 'true' } : undefined;
	const n8n = await startN8n({ userFolder, port: ports.n8n, runnersBrokerPort, env });
	const rest = createRest(n8n.url);
	const owner = await signIn(rest, userFolder);
	const mailbox = await startMailbox({ port: ports.mailbox });
	const { smtpPort } = mailbox;
	const workspace = await prepareWorkspace({ rest, n8nUrl: n8n.url, userFolder, smtpPort });
	return { n8n, rest, owner, mailbox, workspace };
}
