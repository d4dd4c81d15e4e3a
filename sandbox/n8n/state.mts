import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../shared/failure.mts';

/** What the sandbox has made in a user folder, so that a second start finds it again. */
export interface State {
	/** Signs this folder's notifications; made at random at the first start. */
	webhookSecret: string;
	serviceUrl?: string;
	triggerUrl?: string;
	credentialId?: string;
	createRequestId?: string;
	onCompletedId?: string;
}

const fileOf = (userFolder: string) => path.join(userFolder, 'sandbox.json');

/** The folder's state; a new one with a new secret when there is none. */
export async function readState(userFolder: string): Promise<State> {
	try {
		return JSON.parse(await readFile(fileOf(userFolder), 'utf8')) as State;
	} catch (error) {
		if (codeOf(error) !== 'ENOENT') throw error;
		return { webhookSecret: randomBytes(32).toString('hex') };
	}
}

/** Stores the state, readable by its owner alone. */
export async function writeState(userFolder: string, state: State): Promise<void> {
	await writeFile(fileOf(userFolder), `${JSON.stringify(state, null, '\t')}\n`, { mode: 0o600 });
}
