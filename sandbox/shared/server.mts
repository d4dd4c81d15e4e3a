import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import pWaitFor from 'p-wait-for';
import { Failure } from './failure.mts';

interface ServerOptions {
	/** The name in messages, for example `n8n`. */
	name: string;
	/** The Node binary that runs it; with `isNode: false`, the program itself. */
	node: string;
	/** A Node process is made to end with this process; another program must see to that itself. */
	isNode?: boolean;
	args: string[];
	cwd: string;
	/** `baseEnv()` by default. */
	env?: Record<string, string>;
	/** For stdout and stderr; a restart appends to it. */
	logFile: string;
	/** Resolves to true once it is ready; an error counts as "not yet". */
	isReady: () => Promise<boolean>;
	/** Milliseconds until it must be ready. */
	readyWithin: number;
	/** Asks it to end; SIGTERM by default. */
	stopSignal?: NodeJS.Signals;
	/** Milliseconds that it has to end after that signal. */
	stopWithin?: number;
	/** Other servers need it while they shut down, so it is stopped after them. */
	isBackend?: boolean;
}

/** A server that can be stopped and restarted in place. */
export type RunningServer = Awaited<ReturnType<typeof startServer>>;

const exitWithParent = pathToFileURL(path.join(import.meta.dirname, 'exitWithParent.mts')).href;

/** The variables that every child may see, without the person's own settings. */
export function baseEnv(): Record<string, string> {
	const allowed = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TZ', 'SystemRoot', 'USERPROFILE'];
	const given = allowed.map((name) => [name, process.env[name] ?? ''] as const);
	return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** The stop function of each running server; true for those that others need. */
const stops = new Map<() => Promise<void>, boolean>();

/** What kills each running server when this process exits. */
const killsAtExit = new Set<() => void>();
process.once('exit', () => killsAtExit.forEach((kill) => kill()));

/** Stops every server that this process has started, including those not yet ready. */
export async function stopAllServers(): Promise<void> {
	for (const backends of [false, true]) {
		const chosen = [...stops].filter(([, isBackend]) => isBackend === backends);
		await Promise.all(chosen.map(([stop]) => stop()));
	}
}

function spawnServer(options: ServerOptions, logFlags: 'w' | 'a'): ChildProcess {
	const { node, isNode = true, args, cwd, env = baseEnv(), logFile } = options;
	mkdirSync(path.dirname(logFile), { recursive: true });
	const log = openSync(logFile, logFlags, 0o600);
	const child = spawn(node, isNode ? ['--import', exitWithParent, ...args] : args, {
		cwd,
		env,
		stdio: ['ignore', log, log],
		// A separate process group: Ctrl-C reaches only the sandbox, which stops things in order.
		detached: true,
	});
	closeSync(log);
	return child;
}

/** Starts a server and waits until it is ready; a Failure has its last log lines. */
export async function startServer(options: ServerOptions) {
	const { name, logFile, readyWithin, isBackend = false } = options;
	let child: ChildProcess;
	let ended: Promise<string>;

	const kill = async () => {
		child.kill('SIGKILL');
		await ended;
	};
	const stop = async () => {
		child.kill(options.stopSignal ?? 'SIGTERM');
		await Promise.race([ended, sleep(options.stopWithin ?? 15_000, undefined, { ref: false })]);
		await kill();
	};
	const killAtExit = () => child.kill('SIGKILL');
	const isUp = () => stops.has(stop);

	const start = async (logFlags: 'w' | 'a') => {
		if (isUp()) throw new Failure(`${name} is already running: stop or kill it first.`);
		child = spawnServer(options, logFlags);
		stops.set(stop, isBackend);
		killsAtExit.add(killAtExit);
		ended = new Promise<string>((resolve) => {
			child.once('error', ({ message }) => resolve(`${name} could not be started: ${message}`));
			child.once('exit', (code, signal) =>
				resolve(`${name} ended ${signal === null ? `with code ${code}` : `by ${signal}`}`),
			);
		}).finally(() => {
			stops.delete(stop);
			killsAtExit.delete(killAtExit);
		});

		let isReady = false;
		const condition = async () => {
			isReady = await options.isReady().catch(() => false);
			return isReady || !isUp();
		};
		const timeout = { milliseconds: readyWithin, fallback: () => undefined };
		await pWaitFor(condition, { interval: 200, timeout });
		if (isReady && isUp()) return;
		const reason = isUp() ? `${name} was not ready after ${readyWithin / 1000} s` : await ended;
		await kill();
		const lines = stripVTControlCharacters(readFileSync(logFile, 'utf8')).trimEnd().split('\n');
		throw new Failure(`${reason}. The end of ${logFile}:\n${lines.slice(-15).join('\n')}`);
	};

	await start('w');
	return {
		name,
		logFile,
		/** Of the running process, or of the last one that ran. */
		get pid() {
			return child.pid ?? 0;
		},
		/** Resolves when that process has ended, with a sentence that says how. */
		get ended() {
			return ended;
		},
		/** Starts it again; throws a Failure if it is still running. */
		start: () => start('a'),
		/** Asks it to end, and sends SIGKILL if it does not in time; safe to call twice. */
		stop,
		/** Sends SIGKILL to this process only, like a crash; resolves when it has ended. */
		kill,
	};
}
