import { Failure } from '../shared/failure.mts';
import { N8nRestError, type N8nRest } from './rest.mts';
import { readState, stateFile } from './state.mts';
import type { Owner } from './types.mts';

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
