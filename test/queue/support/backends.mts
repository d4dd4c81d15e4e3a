import { execa } from 'execa';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../../../sandbox/shared/command.mts';
import { startServer } from '../../../sandbox/shared/server.mts';

const setpriv = '/usr/bin/setpriv';

/** PostgreSQL refuses to run as root: Debian's package creates this user for it. */
const postgresUser = 'postgres';
const isRoot = process.getuid?.() === 0;

/**
 * What makes a program run as that user if this is root. It keeps root's right to read in folders that
 * only root may enter, such as a checkout in /root, unless root itself lacks it, as in some containers.
 */
function asPostgresUser(): string[] {
	if (!isRoot) return [];
	const user = ['--reuid', postgresUser, '--regid', postgresUser, '--clear-groups'];
	const keeping = (rights: string) =>
		['inh-caps', 'ambient-caps', 'bounding-set'].map((set) => `--${set}=${rights}`);
	const best = [...user, ...keeping('-all,+dac_read_search')];
	return spawnSync(setpriv, [...best, 'true']).status === 0 ? best : [...user, ...keeping('-all')];
}

/** A command line whose program gets the signal when this process is killed, where setpriv exists. */
function endingWithUs(
	signal: 'TERM' | 'INT',
	command: string,
	args: string[],
	user: string[] = [],
) {
	if (!existsSync(setpriv)) return { command, args };
	return { command: setpriv, args: [...user, '--pdeathsig', signal, '--', command, ...args] };
}

/** Starts Redis on 127.0.0.1, with its data in the folder. */
export async function startRedis(redisBin: string, folder: string, port: number) {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const settings = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder];
	const stored = ['--appendonly', 'yes', '--save', ''];
	const program = path.join(redisBin, 'redis-server');
	await startServer({
		name: 'redis',
		...endingWithUs('TERM', program, [...settings, ...stored]),
		cwd: folder,
		logFile: path.join(folder, 'redis.log'),
		isReady: async () => {
			const ping = await execa(path.join(redisBin, 'redis-cli'), ['-p', String(port), 'ping']);
			return ping.stdout === 'PONG';
		},
		isBackend: true,
	});
}

/** The database that `initdb` creates, and its only user. */
export const database = { name: 'postgres', user: 'n8n' };

/** Starts PostgreSQL on 127.0.0.1, with its own cluster and `postgres.log` in the folder. */
export async function startPostgres(bin: string, folder: string, port: number, password: string) {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const user = asPostgresUser();
	const data = path.join(folder, 'data');
	await createCluster(data, bin, password, user);
	const address = ['-h', '127.0.0.1', '-p', String(port)];
	const settings = ['-D', data, ...address, '-c', 'unix_socket_directories='];
	await startServer({
		name: 'postgres',
		...endingWithUs('INT', path.join(bin, 'postgres'), settings, user),
		cwd: '/',
		logFile: path.join(folder, 'postgres.log'),
		isReady: async () => {
			await execa(path.join(bin, 'pg_isready'), [...address, '--quiet']);
			return true;
		},
		// On SIGTERM it would wait until the last client has disconnected.
		stopSignal: 'SIGINT',
		isBackend: true,
	});
}

/** Creates the cluster in `data`. */
async function createCluster(data: string, bin: string, password: string, user: string[]) {
	const folder = path.dirname(data);
	const passwordFile = path.join(folder, 'password');
	const logFile = path.join(folder, 'initdb.log');
	await mkdir(data, { mode: 0o700 });
	await writeFile(passwordFile, password, { mode: 0o600 });
	const options = [
		...['-D', data, '--username', database.user, '--pwfile', passwordFile],
		...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-locale', '--no-instructions'],
	];
	const title = "Creating PostgreSQL's database";
	const advice = isRoot
		? `which the user "${postgresUser}" creates: that user must exist and have access to ${folder}`
		: undefined;
	const step = { title, cwd: '/', logFile, advice };
	if (isRoot) {
		const args = [postgresUser, data, passwordFile];
		await run({ ...step, title: `Giving its folder to ${postgresUser}`, command: 'chown', args });
	}
	await run({ ...step, ...endingWithUs('TERM', path.join(bin, 'initdb'), options, user) });
	await rm(passwordFile);
}
