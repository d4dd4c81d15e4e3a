import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { prepareWorkspace } from '../n8n/setup.mts';
import type { Log } from '../shared/failure.mts';
import type { Introduced } from '../shared/introduction.mts';
import { startMailbox, type RunningMailbox } from '../shared/mailbox.mts';
import { serviceCredential, startService, type RunningService } from '../shared/service.mts';
import { startQueueMode, type QueueMode } from './queueMode.mts';

export interface QueueStackOptions {
	userFolder: string;
	/** `n8n` is the load balancer's. */
	ports: { n8n: number; service: number; mailbox: number; smtp: number };
	log: Log;
}

export type QueueStack = Introduced & {
	service: RunningService;
	mailbox: RunningMailbox;
	queue: QueueMode;
};

/** Service, mailbox and n8n's queue mode with the package, credentials and examples. */
export async function startQueueStack({ userFolder, ports, log }: QueueStackOptions) {
	await mkdir(userFolder, { recursive: true, mode: 0o700 });
	const logFile = (name: string) => path.join(userFolder, `${name}.log`);
	const [service, mailbox, queue] = await Promise.all([
		startService({ port: ports.service, logFile: logFile('service') }),
		startMailbox({ port: ports.mailbox, smtpPort: ports.smtp, logFile: logFile('mailbox') }),
		startQueueMode({ userFolder, port: ports.n8n, log }),
	]);
	const workspace = await prepareWorkspace({
		rest: queue.rest,
		n8nUrl: queue.url,
		userFolder,
		service: { url: service.url, ...serviceCredential },
		smtpPort: ports.smtp,
	});
	const n8n = { url: queue.url, logFile: queue.main.logFile };
	return { service, mailbox, n8n, queue, owner: queue.owner, workspace };
}
