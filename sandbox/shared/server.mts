import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { Failure } from './failure.mts';

interface ServerOptions {
	/** The name in messages, for example `n8n`. */
	name: string;
	command: string;
	args: string[];
	cwd: string;
	/** `baseEnv()` by default. */
	env?: Record<string, string>;
	/** For stdout and stderr; emptied by the first server of this process that has it. */
	logFile: string;
	/** Resolves to true once it is ready; an error counts as "not yet". */
	isReady: () => Promise<boolean>;
	/** Asks it to end; SIGTERM by default. */
	stopSignal?: NodeJS.Signals;
	/** Other servers need it while they shut down, so it is stopped after them. */
	isBackend?: boolean;
}

/** The variables that every child may see, without the person's own settings. */
export function baseEnv(): Record<string, string> {
	const allowed = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TZ', 'SystemRoot', 'USERPROFILE'];
	const given = allowed.map((name) => [name, process.env[name] ?? ''] as const);
	return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** What this process has started and has not ended yet. */
const running = new Set<{ isBackend: boolean; child: ChildProcess; stop: () => Promise<void> }>();
process.once('exit', () => running.forEach(({ child }) => child.kill('SIGKILL')));

/** Stops every server that this process has started, including those not yet ready. */
export async function stopAllServers(): Promise<void> {
	for (const backends of [false, true]) {
		const chosen = [...running].filter(({ isBackend }) => isBackend === backends);
		await Promise.all(chosen.map(({ stop }) => stop()));
	}
}

const logFiles = new Set<string>();

/** Opens a log, which goes on if this process has opened it before. */
function openLog(file: string): number {
	mkdirSync(path.dirname(file), { recursive: true });
	const log = openSync(file, logFiles.has(file) ? 'a' : 'w', 0o600);
	logFiles.add(file);
	return log;
}

/** Starts a server and waits until it is ready; a Failure has its last log lines. It has 35 s to stop. */
export async function startServer(options: ServerOptions) {
	const { name, command, args, cwd, env = baseEnv(), logFile } = options;
	const { isBackend = false, stopSignal = 'SIGTERM' } = options;
	const log = openLog(logFile);
	// A separate process group: Ctrl-C reaches only the sandbox, which stops things in order.
	const child = spawn(command, args, { cwd, env, stdio: ['ignore', log, log], detached: true });
	closeSync(log);
	const kill = async () => {
		child.kill('SIGKILL');
		await ended;
	};
	const stop = async () => {
		child.kill(stopSignal);
		await Promise.race([ended, sleep(35_000, undefined, { ref: false })]);
		await kill();
	};
	const server = { isBackend, child, stop };
	running.add(server);
	const ended = new Promise<string>((resolve) => {
		child.once('error', ({ message }) => resolve(`${name} could not be started: ${message}`));
		child.once('exit', (code, signal) =>
			resolve(`${name} ended ${signal === null ? `with code ${code}` : `by ${signal}`}`),
		);
	}).finally(() => running.delete(server));

	const deadline = Date.now() + 300_000;
	let isReady = false;
	while (!isReady && running.has(server) && Date.now() < deadline) {
		isReady = await options.isReady().catch(() => false);
		if (!isReady) await sleep(200);
	}
	if (!isReady || !running.has(server)) {
		const late = `${name} was not ready after 5 minutes`;
		const reason = running.has(server) ? late : await ended;
		await kill();
		const lines = stripVTControlCharacters(readFileSync(logFile, 'utf8')).trimEnd().split('\n');
		throw new Failure(`${reason}. The end of ${logFile}:\n${lines.slice(-15).join('\n')}`);
	}
	return {
		name,
		logFile,
		pid: child.pid,
		/** Resolves when it has ended, with a sentence that says how. */
		ended,
		/** Asks it to end, and sends SIGKILL if it does not in time; safe to call twice. */
		stop,
		/** Sends SIGKILL to this process only, like a crash; resolves when it has ended. */
		kill,
	};
}
