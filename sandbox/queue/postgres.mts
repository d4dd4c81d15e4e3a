import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { run } from '../shared/command.mts';
import { Failure } from '../shared/failure.mts';
import { baseEnv, startServer, type RunningServer } from '../shared/server.mts';
import { childrenOf, haveEnded } from './children.mts';
import { ensureOwnerGetsInto, giveToOwner } from './dataOwner.mts';
import type { Programs } from './programs.mts';
import { tiedAsUser } from './tied.mts';

const execute = promisify(execFile);

/** The database that `initdb` makes, and its only user. */
export const database = { name: 'postgres', user: 'n8n' };

/** The variables by which `psql` and its like find it. */
export function clientEnvironment(port: number, password: string): Record<string, string> {
	return {
		PGHOST: '127.0.0.1',
		PGPORT: String(port),
		PGDATABASE: database.name,
		PGUSER: database.user,
		PGPASSWORD: password,
	};
}

export interface PostgresOptions {
	programs: Programs;
	/** Holds its data and `postgres.log`. */
	folder: string;
	port: number;
	password: string;
	keepLog?: boolean;
}

/** Makes a cluster in `data`, unless there is one: under another name until it is whole. */
async function ensureCluster({ programs, folder, password }: PostgresOptions): Promise<string> {
	const data = path.join(folder, 'data');
	if (existsSync(data)) return data;
	const unfinished = path.join(folder, 'unfinished');
	const passwordFile = path.join(folder, 'password');
	const logFile = path.join(folder, 'initdb.log');
	await rm(unfinished, { recursive: true, force: true });
	await mkdir(unfinished, { mode: 0o700 });
	await writeFile(passwordFile, password, { mode: 0o600 });
	await giveToOwner(unfinished, passwordFile);
	const [command, args] = tiedAsUser({
		command: path.join(programs.postgresBin, 'initdb'),
		args: [
			...['-D', unfinished, '--username', database.user, '--pwfile', passwordFile],
			...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-locale', '--no-instructions'],
		],
		signal: 'TERM',
	});
	const made = await run({ command, args, cwd: '/', logFile });
	await rm(passwordFile);
	if (made === undefined) throw new Failure(`PostgreSQL's initdb failed: read ${logFile}.`);
	await rename(unfinished, data);
	return data;
}

/** Starts PostgreSQL on 127.0.0.1, with a cluster of its own in the folder. */
export async function startPostgres(options: PostgresOptions): Promise<RunningServer> {
	const { programs, folder, port, keepLog } = options;
	await mkdir(folder, { recursive: true, mode: 0o700 });
	await ensureOwnerGetsInto(folder);
	const data = await ensureCluster(options);
	const address = ['-h', '127.0.0.1', '-p', String(port)];
	const [node, args] = tiedAsUser({
		command: path.join(programs.postgresBin, 'postgres'),
		args: ['-D', data, ...address, '-c', 'unix_socket_directories='],
		signal: 'INT',
	});
	const server = await startServer({
		name: 'PostgreSQL',
		...{ node, isNode: false, args },
		cwd: '/',
		env: baseEnv(),
		logFile: path.join(folder, 'postgres.log'),
		keepLog,
		isReady: async () => {
			await execute(path.join(programs.postgresBin, 'pg_isready'), [...address, '--quiet']);
			return true;
		},
		readyWithin: 60_000,
		// Its SIGTERM waits until the last client has gone.
		stopSignal: 'SIGINT',
		isBackend: true,
	});
	const kill = async () => {
		// While one of its processes lives, it cannot be started again.
		const children = await childrenOf(server.pid);
		await server.kill();
		await haveEnded(children);
	};
	return { ...server, kill };
}
