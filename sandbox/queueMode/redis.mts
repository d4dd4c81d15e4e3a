import { execa } from 'execa';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { startServer } from '../shared/server.mts';
import type { Programs } from './programs.mts';
import { endingWithParent } from './endWithParent.mts';

/** Starts Redis on 127.0.0.1 with its data in the folder; acknowledged writes survive `kill -9`. */
export async function startRedis(programs: Programs, folder: string, port: number) {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const given = { bind: '127.0.0.1', port: String(port), dir: folder, appendonly: 'yes', save: '' };
	const settings = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
	const { command, args } = endingWithParent('TERM', programs.redisServer, settings);
	const server = await startServer({
		name: 'redis',
		node: command,
		isNode: false,
		args,
		cwd: folder,
		logFile: path.join(folder, 'redis.log'),
		isReady: async () => {
			const { stdout } = await execa(programs.redisCli, ['-p', String(port), 'ping']);
			return stdout === 'PONG';
		},
		readyWithin: 60_000,
		isBackend: true,
	});
	return Object.assign(server, { port });
}
