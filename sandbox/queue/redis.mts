import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { baseEnv, startServer, type RunningServer } from '../shared/server.mts';
import type { Programs } from './programs.mts';
import { tied } from './tied.mts';

const execute = promisify(execFile);

export interface RedisOptions {
	programs: Programs;
	/** Holds its append-only file and `redis.log`. */
	folder: string;
	port: number;
	keepLog?: boolean;
}

/** Starts Redis on 127.0.0.1; what it has acknowledged outlives `kill -9`. */
export async function startRedis(options: RedisOptions): Promise<RunningServer> {
	const { programs, folder, port, keepLog } = options;
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const given = { bind: '127.0.0.1', port: String(port), dir: folder, appendonly: 'yes', save: '' };
	const args = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
	const [node, tiedArgs] = tied({ command: programs.redisServer, args, signal: 'TERM' });
	return await startServer({
		name: 'Redis',
		node,
		isNode: false,
		args: tiedArgs,
		cwd: folder,
		env: baseEnv(),
		logFile: path.join(folder, 'redis.log'),
		keepLog,
		isReady: async () => {
			const { stdout } = await execute(programs.redisCli, ['-p', String(port), 'ping']);
			return stdout.trim() === 'PONG';
		},
		readyWithin: 60_000,
		isBackend: true,
	});
}
