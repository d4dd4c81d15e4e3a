import { Failure } from '../shared/failure.mts';
import type { RunningServer } from '../shared/server.mts';

/** A process of queue mode, which can be ended and started again in its place. */
export interface Part {
	/** For example `worker 1`. */
	name: string;
	/** The same over restarts, on 127.0.0.1. */
	port: number;
	/** Goes on over restarts. */
	logFile: string;
	/** Of the process that runs, or of the last one that did. */
	readonly pid: number;
	/** Resolves when that process has ended, with a sentence saying how. */
	readonly ended: Promise<string>;
	/** Starts it again, with what it had; a Failure while it runs. */
	start(): Promise<void>;
	stop(): Promise<void>;
	/** SIGKILL, as a crash would. */
	kill(): Promise<void>;
}

type Start = (isRestart: boolean) => Promise<RunningServer>;

/** Starts a process that can be started again. */
export async function startPart(name: string, port: number, start: Start): Promise<Part> {
	let running = await start(false);
	let isUp = true;
	const watch = () => {
		const current = running;
		void current.ended.then(() => {
			if (current === running) isUp = false;
		});
	};
	watch();
	return {
		name,
		port,
		logFile: running.logFile,
		get pid() {
			return running.pid;
		},
		get ended() {
			return running.ended;
		},
		start: async () => {
			if (isUp) throw new Failure(`The ${name} is running already: stop or kill it first.`);
			running = await start(true);
			isUp = true;
			watch();
		},
		stop: () => running.stop(),
		kill: () => running.kill(),
	};
}
