import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import type { RunningServer } from '../../sandbox/shared/server.mts';
import type { Member } from './deployment.mts';

/** Keeps what a process has logged in its earlier lives: a start begins its log afresh. */
async function keepLog(logFile: string, life: number): Promise<void> {
	if (existsSync(logFile)) await rename(logFile, logFile.replace(/(\.log)?$/, `-${life}.log`));
}

/** Starts a server that can be killed and started again under the same name. */
export async function startMember(
	name: string,
	launch: () => Promise<RunningServer>,
): Promise<Member & { stop(): Promise<void> }> {
	let life = 0;
	let running: RunningServer | undefined;
	let logFile = '';
	const start = async () => {
		if (life > 0) await keepLog(logFile, life);
		const server = await launch();
		({ logFile } = server);
		life += 1;
		running = server;
		void server.ended.then(() => {
			if (running === server) running = undefined;
		});
	};
	await start();
	return {
		name,
		start,
		pid: () => running?.pid,
		kill: async () => await running?.kill(),
		stop: async () => await running?.stop(),
	};
}
