import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unlessCode } from '../shared/failure.mts';

/** What the sandbox has made in a user folder, so that a second start finds it again. */
export interface State {
	/** Signs this folder's notifications; made at random at the first start. */
	webhookSecret: string;
	/** Of n8n's owner; undefined until somebody logs in. */
	ownerPassword?: string;
	/** Where things were when n8n was told last. */
	serviceUrl?: string;
	smtpPort?: number;
	triggerUrl?: string;
	credentialId?: string;
	smtpCredentialId?: string;
	/** By the name of the example. */
	workflowIds: Record<string, string>;
}

/** Where the folder's state is. */
export const stateFile = (userFolder: string) => path.join(userFolder, 'sandbox.json');

/** The folder's state; a new one with a new secret when there is none. */
export async function readState(userFolder: string): Promise<State> {
	const text = await readFile(stateFile(userFolder), 'utf8').catch(unlessCode('ENOENT'));
	const stored = JSON.parse(text ?? '{}') as Partial<State>;
	return { webhookSecret: randomBytes(32).toString('hex'), workflowIds: {}, ...stored };
}

/** Stores the state, readable by its owner alone. */
export async function writeState(userFolder: string, state: State): Promise<void> {
	await writeFile(stateFile(userFolder), `${JSON.stringify(state, null, '\t')}\n`, { mode: 0o600 });
}
