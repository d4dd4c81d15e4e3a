import { existsSync, readFileSync } from 'node:fs';

const setpriv = '/usr/bin/setpriv';

/** PostgreSQL refuses to run as root: Debian's package brings this user for it. */
export const postgresUser = 'postgres';

/** True when programs that refuse root have to run as another user. */
export const isRoot = process.getuid?.() === 0;

/** The bit of CAP_DAC_READ_SEARCH, which containers withhold also from root unless asked. */
const readSearch = 1n << 2n;

function canReadAll(): boolean {
	const file = '/proc/self/status';
	const status = existsSync(file) ? readFileSync(file, 'utf8') : '';
	const [, permitted = '0'] = /^CapPrm:\s*([0-9a-f]+)$/m.exec(status) ?? [];
	return (BigInt(`0x${permitted}`) & readSearch) !== 0n;
}

/** A command line by which the program gets the signal when the process that starts it dies. */
export function tied(signal: 'TERM' | 'INT', command: string, args: string[], user: string[] = []) {
	if (!existsSync(setpriv)) return { command, args };
	return { command: setpriv, args: [...user, '--pdeathsig', signal, '--', command, ...args] };
}

/**
 * The same as PostgreSQL's own user when this is root. That user gets no right but to read below
 * folders that are root's alone, such as a checkout in /root, if root has that right: PostgreSQL
 * looks its data up by the whole path.
 */
export function tiedAsUser(signal: 'TERM' | 'INT', command: string, args: string[]) {
	if (!isRoot) return tied(signal, command, args);
	const kept = canReadAll() ? '-all,+dac_read_search' : '-all';
	const rights = ['inh-caps', 'ambient-caps', 'bounding-set'].map((set) => `--${set}=${kept}`);
	const user = ['--reuid', postgresUser, '--regid', postgresUser, '--clear-groups'];
	return tied(signal, command, args, [...user, ...rights]);
}
