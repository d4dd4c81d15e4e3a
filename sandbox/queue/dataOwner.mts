import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Failure, messageOf } from '../shared/failure.mts';
import { dataOwner, isRoot, tiedAsUser } from './tied.mts';

const execute = promisify(execFile);

/** Gives files to the user that PostgreSQL runs as, when this is root. */
export async function giveToOwner(...files: string[]): Promise<void> {
	if (isRoot()) await execute('chown', [dataOwner, ...files]);
}

/** Makes sure that this user exists and gets into the folder; a Failure that says what to do. */
export async function ensureOwnerGetsInto(folder: string): Promise<void> {
	if (!isRoot()) return;
	await execute('id', [dataOwner]).catch(() => {
		throw new Failure(
			`PostgreSQL does not run as root, and there is no user "${dataOwner}": make one with "useradd --system --user-group ${dataOwner}", or run the same command as another user than root.`,
		);
	});
	// Unlike `test -x`, looking a name up in the folder heeds every right that the user has.
	const [command, args] = tiedAsUser({ command: 'stat', args: [`${folder}/.`], signal: 'TERM' });
	await execute(command, args, { cwd: '/' }).catch((error: unknown) => {
		const reason = messageOf(error).trim().split('\n').at(-1);
		throw new Failure(
			`PostgreSQL runs as the user "${dataOwner}", who does not get into ${folder} (${reason}): start the container with "--cap-add DAC_READ_SEARCH", or run the same command as another user than root.`,
		);
	});
}
