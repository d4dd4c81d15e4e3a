import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ensureN8nInstalled } from './n8n/install.mts';
import { startN8n, type RunningN8n } from './n8n/n8n.mts';
import { installNodePackage } from './n8n/nodePackage.mts';
import { signIn } from './n8n/owner.mts';
import { createRest, type N8nRest } from './n8n/rest.mts';
import { prepareWorkspace, type Workspace } from './n8n/setup.mts';
import type { Owner } from './n8n/types.mts';
import type { Log } from './shared/failure.mts';
import { startMailbox, type RunningMailbox } from './shared/mailbox.mts';
import { serviceCredential, startService, type RunningService } from './shared/service.mts';

export interface StackOptions {
	userFolder: string;
	ports: { n8n: number; service: number; mailbox: number; smtp: number; broker: number };
	/** n8n loads the package again whenever its files change. */
	reloads?: boolean;
	log: Log;
}

export interface Stack {
	/** The package's tarball that n8n has loaded. */
	tarball: string;
	service: RunningService;
	mailbox: RunningMailbox;
	n8n: RunningN8n;
	rest: N8nRest;
	owner: Owner;
	workspace: Workspace;
}

/** Service, mailbox and n8n with the package, credentials and examples; Ctrl-C is the caller's. */
export async function startStack(options: StackOptions): Promise<Stack> {
	const { userFolder, ports, reloads = false, log } = options;
	const env = reloads ? { N8N_DEV_RELOAD: 'true' } : undefined;
	await mkdir(userFolder, { recursive: true, mode: 0o700 });
	const [tarball] = await Promise.all([
		installNodePackage({ userFolder, log }),
		ensureN8nInstalled(log),
	]);
	const logFile = (name: string) => path.join(userFolder, `${name}.log`);
	const [service, mailbox, n8n] = await Promise.all([
		startService({ port: ports.service, logFile: logFile('service') }),
		startMailbox({ port: ports.mailbox, smtpPort: ports.smtp, logFile: logFile('mailbox') }),
		startN8n({ userFolder, port: ports.n8n, runnersBrokerPort: ports.broker, env, log }),
	]);
	const rest = createRest(n8n.url);
	const owner = await signIn(rest, userFolder);
	const workspace = await prepareWorkspace({
		rest,
		n8nUrl: n8n.url,
		userFolder,
		service: { url: service.url, ...serviceCredential },
		smtpPort: ports.smtp,
	});
	return { tarball, service, mailbox, n8n, rest, owner, workspace };
}
