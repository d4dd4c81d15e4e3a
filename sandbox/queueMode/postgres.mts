import { execa } from 'execa';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../shared/command.mts';
import { Failure, messageOf } from '../shared/failure.mts';
import { poll } from '../shared/poll.mts';
import { startServer } from '../shared/server.mts';
import type { Programs } from './programs.mts';
import { isRoot, postgresUser, tiedAsUser } from './endWithParent.mts';

/** The database that `initdb` creates, and its only user. */
export const database = { name: 'postgres', user: 'n8n' };

/** Starts PostgreSQL on 127.0.0.1, with its own cluster and `postgres.log` in the folder. */
export async function startPostgres(
	programs: Programs,
	folder: string,
	port: number,
	password: string,
) {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const data = await ensureCluster(programs, folder, password);
	const address = ['-h', '127.0.0.1', '-p', String(port)];
	const settings = ['-D', data, ...address, '-c', 'unix_socket_directories='];
	const program = path.join(programs.postgresBin, 'postgres');
	const { command, args } = tiedAsUser('INT', program, settings);
	const server = await startServer({
		name: 'postgres',
		node: command,
		isNode: false,
		args,
		cwd: '/',
		logFile: path.join(folder, 'postgres.log'),
		isReady: async () => {
			await execa(path.join(programs.postgresBin, 'pg_isready'), [...address, '--quiet']);
			return true;
		},
		readyWithin: 60_000,
		// On SIGTERM it would wait until the last client has disconnected.
		stopSignal: 'SIGINT',
		isBackend: true,
	});
	// After a kill, it cannot start again while one of its old child processes is still alive.
	const { start: startOnce } = server;
	let reason = '';
	const start = async () => {
		await poll({
			expected: 'PostgreSQL to start again',
			within: 30_000,
			read: async () => {
				reason = await startOnce().then(() => '', messageOf);
				return reason === '' ? true : undefined;
			},
			describe: () => Promise.resolve(reason),
		});
	};
	return Object.assign(server, { port, start });
}

/** Creates a cluster in `data` if there is none; it has another name until it is complete. */
async function ensureCluster(programs: Programs, folder: string, password: string) {
	const data = path.join(folder, 'data');
	if (existsSync(data)) return data;
	const unfinished = path.join(folder, 'unfinished');
	const passwordFile = path.join(folder, 'password');
	const logFile = path.join(folder, 'initdb.log');
	await rm(unfinished, { recursive: true, force: true });
	await mkdir(unfinished, { mode: 0o700 });
	await writeFile(passwordFile, password, { mode: 0o600 });
	const chown = { command: 'chown', args: [postgresUser, unfinished, passwordFile] };
	if (isRoot) await run({ ...chown, cwd: '/', logFile });
	const command = tiedAsUser('TERM', path.join(programs.postgresBin, 'initdb'), [
		...['-D', unfinished, '--username', database.user, '--pwfile', passwordFile],
		...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-locale', '--no-instructions'],
	]);
	const made = await run({ ...command, cwd: '/', logFile });
	await rm(passwordFile);
	if (made === undefined) {
		const asRoot = ` As root, PostgreSQL runs as the user "${postgresUser}", who must exist and have access to ${folder}.`;
		throw new Failure(`PostgreSQL's initdb failed: see ${logFile}.${isRoot ? asRoot : ''}`);
	}
	await rename(unfinished, data);
	return data;
}
