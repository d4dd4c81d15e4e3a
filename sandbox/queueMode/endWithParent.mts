import { existsSync, readFileSync } from 'node:fs';

const setpriv = '/usr/bin/setpriv';

/** PostgreSQL refuses to run as root: Debian's package creates this user for it. */
export const postgresUser = 'postgres';

/** If true, programs that refuse to run as root need another user. */
export const isRoot = process.getuid?.() === 0;

/** The bit of CAP_DAC_READ_SEARCH, which containers by default deny even to root. */
const readSearch = 1n << 2n;

function canReadAll(): boolean {
	const file = '/proc/self/status';
	const status = existsSync(file) ? readFileSync(file, 'utf8') : '';
	const [, permitted = '0'] = /^CapPrm:\s*([0-9a-f]+)$/m.exec(status) ?? [];
	return (BigInt(`0x${permitted}`) & readSearch) !== 0n;
}

/** A command line whose program gets the signal when the process that started it dies. */
export function endingWithParent(
	signal: 'TERM' | 'INT',
	command: string,
	args: string[],
	user: string[] = [],
) {
	if (!existsSync(setpriv)) return { command, args };
	return { command: setpriv, args: [...user, '--pdeathsig', signal, '--', command, ...args] };
}

/**
 * The same, but as PostgreSQL's user if this is root. That user's only capability, if root has it,
 * is to read inside folders that only root may enter, such as a checkout in /root: PostgreSQL
 * looks up its data by the full path.
 */
export function tiedAsUser(signal: 'TERM' | 'INT', command: string, args: string[]) {
	if (!isRoot) return endingWithParent(signal, command, args);
	const kept = canReadAll() ? '-all,+dac_read_search' : '-all';
	const rights = ['inh-caps', 'ambient-caps', 'bounding-set'].map((set) => `--${set}=${kept}`);
	const user = ['--reuid', postgresUser, '--regid', postgresUser, '--clear-groups'];
	return endingWithParent(signal, command, args, [...user, ...rights]);
}
