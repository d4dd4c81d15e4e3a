import { existsSync, readFileSync } from 'node:fs';

const setpriv = '/usr/bin/setpriv';

/** PostgreSQL refuses to run as root: Debian's package brings this user for it. */
const postgresUser = 'postgres';

/** The bit of CAP_DAC_READ_SEARCH, which containers withhold also from root unless asked. */
const readSearch = 1n << 2n;

function canReadAll(): boolean {
	const file = '/proc/self/status';
	const status = existsSync(file) ? readFileSync(file, 'utf8') : '';
	const [, permitted = '0'] = /^CapPrm:\s*([0-9a-f]+)$/m.exec(status) ?? [];
	return (BigInt(`0x${permitted}`) & readSearch) !== 0n;
}

/**
 * That user gets no right but to read below folders that are root's alone, such as a checkout in
 * /root, if root has that right: PostgreSQL looks its data up by the whole path.
 */
function rights(): string[] {
	const kept = canReadAll() ? '-all,+dac_read_search' : '-all';
	return ['inh-caps', 'ambient-caps', 'bounding-set'].map((set) => `--${set}=${kept}`);
}

export interface TiedOptions {
	command: string;
	args: string[];
	/** Ends the program in its own way. */
	signal: 'TERM' | 'INT';
}

/** True when programs that refuse root have to run as another user. */
export const isRoot = () => process.getuid?.() === 0;

/** The user that owns what PostgreSQL writes, for `chown` and the like. */
export const dataOwner = postgresUser;

/** A command line by which the program gets the signal when the process that starts it dies. */
export function tied({ command, args, signal }: TiedOptions): [command: string, args: string[]] {
	if (!existsSync(setpriv)) return [command, args];
	return [setpriv, ['--pdeathsig', signal, '--', command, ...args]];
}

/** The same as PostgreSQL's own user when this is root. */
export function tiedAsUser(options: TiedOptions): [command: string, args: string[]] {
	if (!isRoot()) return tied(options);
	const { command, args, signal } = options;
	const user = ['--reuid', postgresUser, '--regid', postgresUser, '--clear-groups'];
	return [setpriv, [...user, ...rights(), '--pdeathsig', signal, '--', command, ...args]];
}
