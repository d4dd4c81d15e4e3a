import { randomBytes } from 'node:crypto';
import { Failure } from '../shared/failure.mts';
import { N8nRestError, type N8nRest } from './rest.mts';
import { readState, stateFile, writeState } from './state.mts';
import type { Owner } from './types.mts';

/** The owner of a user folder's n8n; the first call generates a random password. */
export async function ownerOf(userFolder: string): Promise<Owner> {
	const state = await readState(userFolder);
	// n8n requires a capital letter and a digit: the prefix has both.
	const { ownerPassword = `N8n${randomBytes(12).toString('hex')}` } = state;
	if (state.ownerPassword === undefined) await writeState(userFolder, { ...state, ownerPassword });
	const name = { firstName: 'Sandbox', lastName: 'Owner' };
	return { email: 'owner@example.com', password: ownerPassword, ...name };
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
