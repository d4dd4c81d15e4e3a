import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Failure, unlessCode } from '../shared/failure.mts';
import { N8nRestError, type N8nRest } from './rest.mts';
import type { Owner } from './types.mts';

/** What the sandbox has created in a user folder, so that the next start finds it again. */
export interface State {
	/** Signs this folder's notifications. */
	webhookSecret: string;
	/** Of n8n's owner. */
	ownerPassword: string;
	/** The address of n8n at the last start. */
	n8nUrl: string;
	/** n8n's IDs of the credentials by type, and of the workflows by the name of the example. */
	ids: Record<string, string>;
}

/** The file with the folder's state. */
const stateFile = (userFolder: string) => path.join(userFolder, 'sandbox.json');

/** The folder's state; the first call stores a new one with random secrets. */
export async function readState(userFolder: string): Promise<State> {
	const text = await readFile(stateFile(userFolder), 'utf8').catch(unlessCode('ENOENT'));
	if (text !== undefined) return JSON.parse(text) as State;
	const secret = () => randomBytes(16).toString('hex');
	// n8n requires a capital letter and a digit: the prefix has both.
	const secrets = { webhookSecret: secret(), ownerPassword: `N8n${secret()}` };
	const state = { ...secrets, n8nUrl: '', ids: {} };
	await writeState(userFolder, state);
	return state;
}

/** Stores the state, readable only by its owner. */
export async function writeState(userFolder: string, state: State): Promise<void> {
	await writeFile(stateFile(userFolder), `${JSON.stringify(state, null, '\t')}\n`, { mode: 0o600 });
}

/** The owner of a user folder's n8n, with a random password. */
export async function ownerOf(userFolder: string): Promise<Owner> {
	const { ownerPassword: password } = await readState(userFolder);
	return { email: 'owner@example.com', password, firstName: 'Sandbox', lastName: 'Owner' };
}

/** Sets up the owner of the folder's n8n, or logs in if there is one; returns the owner. */
export async function signIn(rest: N8nRest, userFolder: string): Promise<Owner> {
	const owner = await ownerOf(userFolder);
	const isNew = await rest.needsOwner();
	await (isNew ? rest.setUpOwner(owner) : rest.logIn(owner)).catch((error: unknown) => {
		if (isNew || !(error instanceof N8nRestError) || error.status !== 401) throw error;
		throw new Failure(
			`n8n does not accept the password for ${owner.email} that is in ${stateFile(userFolder)}: enter the current password in that file, or delete ${userFolder} to start over.`,
		);
	});
	return owner;
}
