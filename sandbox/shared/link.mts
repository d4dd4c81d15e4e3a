import { symlink } from 'node:fs/promises';
import { codeOf } from './failure.mts';

/** Links a folder to another place, unless something is there already. */
export async function link(target: string, place: string): Promise<void> {
	try {
		await symlink(target, place, 'junction');
	} catch (error) {
		if (codeOf(error) !== 'EEXIST') throw error;
	}
}
