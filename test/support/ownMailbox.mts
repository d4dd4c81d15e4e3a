import path from 'node:path';
import { startMailbox } from '../../sandbox/shared/mailbox.mts';
import { freePorts } from '../../sandbox/shared/ports.mts';
import { userFolder } from './environment.mts';

/** Starts a mailbox of the test file's own, which ends with its tests. */
export async function startOwnMailbox(name: string) {
	const [port = 0, smtpPort = 0] = await freePorts(2);
	const logFile = path.join(userFolder, `mailbox-${name}.log`);
	const mailbox = await startMailbox({ port, smtpPort, logFile });
	afterAll(() => mailbox.stop());
	return mailbox;
}
