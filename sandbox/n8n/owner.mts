import { randomBytes } from 'node:crypto';
import { Failure } from '../shared/failure.mts';
import { N8nRestError } from './request.mts';
import type { N8nRest } from './rest.mts';
import { readState, stateFile, writeState } from './state.mts';
import type { Owner } from './types.mts';

/** n8n asks for a capital letter and a digit, which the beginning has in any case. */
const newPassword = () => `N8n${randomBytes(12).toString('hex')}`;

/** Who owns the n8n of a user folder; the password is made at random the first time. */
export async function ownerOf(userFolder: string): Promise<Owner> {
	const state = await readState(userFolder);
	const { ownerPassword = newPassword() } = state;
	if (state.ownerPassword === undefined) await writeState(userFolder, { ...state, ownerPassword });
	return {
		email: 'owner@example.com',
		password: ownerPassword,
		firstName: 'Sandbox',
		lastName: 'Owner',
	};
}

/** Sets up the owner of the folder's n8n, or logs in when there is one; returns who it is. */
export async function signIn(rest: N8nRest, userFolder: string): Promise<Owner> {
	const owner = await ownerOf(userFolder);
	if (await rest.needsOwner()) {
		await rest.setUpOwner(owner);
		return owner;
	}
	try {
		await rest.logIn(owner);
		return owner;
	} catch (error) {
		if (!(error instanceof N8nRestError) || error.status !== 401) throw error;
		throw new Failure(
			`n8n does not accept the password for ${owner.email} that is in ${stateFile(userFolder)}: enter the current password in that file, or delete ${userFolder} to start over.`,
		);
	}
}
