import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unlessCode } from '../shared/failure.mts';

/** What the sandbox has created in a user folder, so that the next start finds it again. */
export interface State {
	/** Signs this folder's notifications. */
	webhookSecret: string;
	/** Of n8n's owner. */
	ownerPassword: string;
	/** Of the database in queue mode. */
	databasePassword: string;
	/** The addresses of n8n and the service at the last start. */
	addresses: string[];
	/** n8n's IDs of the credentials by type, and of the workflows by the name of the example. */
	ids: Record<string, string>;
}

/** The file with the folder's state. */
export const stateFile = (userFolder: string) => path.join(userFolder, 'sandbox.json');

/** The folder's state; the first call stores a new one with random secrets. */
export async function readState(userFolder: string): Promise<State> {
	const text = await readFile(stateFile(userFolder), 'utf8').catch(unlessCode('ENOENT'));
	const secret = () => randomBytes(16).toString('hex');
	const state: State = {
		webhookSecret: secret(),
		// n8n requires a capital letter and a digit: the prefix has both.
		ownerPassword: `N8n${secret()}`,
		databasePassword: secret(),
		addresses: [],
		ids: {},
		...(JSON.parse(text ?? '{}') as Partial<State>),
	};
	if (text === undefined) await writeState(userFolder, state);
	return state;
}

/** Stores the state, readable only by its owner. */
export async function writeState(userFolder: string, state: State): Promise<void> {
	await writeFile(stateFile(userFolder), `${JSON.stringify(state, null, '\t')}\n`, { mode: 0o600 });
}
