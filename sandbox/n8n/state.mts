import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unlessCode } from '../shared/failure.mts';

/** What the sandbox has created in a user folder, so that the next start finds it again. */
export interface State {
	/** Signs this folder's notifications; generated at random on the first start. */
	webhookSecret: string;
	/** The password of n8n's owner; undefined until somebody logs in. */
	ownerPassword?: string;
	/** The addresses of n8n and the service at the last start. */
	addresses: string[];
	credentialId?: string;
	smtpCredentialId?: string;
	/** By example name. */
	workflowIds: Record<string, string>;
}

/** The file with the folder's state. */
export const stateFile = (userFolder: string) => path.join(userFolder, 'sandbox.json');

/** The folder's state; a new one with a new secret if there is none. */
export async function readState(userFolder: string): Promise<State> {
	const text = await readFile(stateFile(userFolder), 'utf8').catch(unlessCode('ENOENT'));
	const stored = JSON.parse(text ?? '{}') as Partial<State>;
	const webhookSecret = randomBytes(32).toString('hex');
	return { webhookSecret, addresses: [], workflowIds: {}, ...stored };
}

/** Stores the state, readable only by its owner. */
export async function writeState(userFolder: string, state: State): Promise<void> {
	await writeFile(stateFile(userFolder), `${JSON.stringify(state, null, '\t')}\n`, { mode: 0o600 });
}
