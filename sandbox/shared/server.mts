import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Failure } from './failure.mts';

export interface ServerOptions {
	/** What messages call it, for example `n8n`. */
	name: string;
	/** The Node binary that runs it, or the program itself with `isNode: false`. */
	node: string;
	/** Node is told to end when this process is gone; another program sees to that itself. */
	isNode?: boolean;
	args: string[];
	cwd: string;
	env: Record<string, string>;
	/** Receives stdout and stderr; started afresh unless `keepLog` is set. */
	logFile: string;
	keepLog?: boolean;
	/** True once it answers; a throw counts as "not yet". */
	isReady: () => Promise<boolean>;
	/** Milliseconds until it must be ready. */
	readyWithin: number;
	/** Asks it to end; SIGTERM unless given. */
	stopSignal?: NodeJS.Signals;
	/** Milliseconds it gets to end after that signal. */
	stopWithin?: number;
	/** Other servers need it to end in order: it is stopped after them. */
	isBackend?: boolean;
}

export interface RunningServer {
	pid: number;
	logFile: string;
	/** Resolves when the process has ended, with a sentence saying how. */
	ended: Promise<string>;
	/** Asks it to end, then SIGKILL when it does not in time; safe to call twice. */
	stop(): Promise<void>;
	/** SIGKILL to this process alone, as a crash would; resolves when it has ended. */
	kill(): Promise<void>;
}

const exitWithParent = pathToFileURL(path.join(import.meta.dirname, 'exitWithParent.mts')).href;

/** The last lines of a log file, without colours. */
export function lastLines(logFile: string, count = 15): string {
	const text = readFileSync(logFile, 'utf8').trimEnd();
	// eslint-disable-next-line no-control-regex
	const plain = text.replace(/\u001b\[[0-9;]*m/g, '');
	return plain.split('\n').slice(-count).join('\n');
}

/** The variables every child may see; the person's own settings stay out of it. */
export function baseEnv(): Record<string, string> {
	const allowed = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TZ', 'SystemRoot', 'USERPROFILE'];
	const given = allowed.map((name) => [name, process.env[name]]);
	return Object.fromEntries(given.filter((entry) => entry[1] !== undefined)) as Record<
		string,
		string
	>;
}

/** How to stop each running server; true for those that the others need. */
const stops = new Map<() => Promise<void>, boolean>();

/** Stops every server that this process has started, also those not ready yet. */
export async function stopAllServers(): Promise<void> {
	for (const backends of [false, true]) {
		const chosen = [...stops].filter(([, isBackend]) => isBackend === backends);
		await Promise.all(chosen.map(([stop]) => stop()));
	}
}

function spawnServer(options: ServerOptions): ChildProcess {
	const { node, isNode = true, args, cwd, env, logFile, keepLog = false } = options;
	mkdirSync(path.dirname(logFile), { recursive: true });
	const log = openSync(logFile, keepLog ? 'a' : 'w', 0o600);
	// A group of its own: Ctrl-C reaches only the sandbox, which then stops things in order.
	const child = spawn(node, isNode ? ['--import', exitWithParent, ...args] : args, {
		cwd,
		env,
		stdio: ['ignore', log, log],
		detached: true,
	});
	closeSync(log);
	return child;
}

/** Starts a server and waits until it is ready; a Failure with its last log lines otherwise. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
	const { name, logFile, stopSignal = 'SIGTERM', stopWithin = 15_000, isBackend = false } = options;
	const child = spawnServer(options);
	let end: string | undefined;
	const ended = new Promise<string>((resolve) => {
		const settle = (how: string) => resolve((end = how));
		child.once('error', (error) => settle(`${name} could not be started: ${error.message}`));
		child.once('exit', (code, signal) =>
			settle(`${name} ended ${signal === null ? `with code ${code}` : `by ${signal}`}`),
		);
	});
	const killAtExit = () => child.kill('SIGKILL');
	process.once('exit', killAtExit);

	const kill = async () => {
		if (end === undefined) child.kill('SIGKILL');
		await ended;
	};
	const stop = async () => {
		if (end === undefined) child.kill(stopSignal);
		await Promise.race([ended, sleep(stopWithin, undefined, { ref: false })]);
		await kill();
	};
	stops.set(stop, isBackend);
	void ended.then(() => {
		stops.delete(stop);
		process.off('exit', killAtExit);
	});

	const deadline = Date.now() + options.readyWithin;
	const isUp = async () => (await options.isReady().catch(() => false)) && end === undefined;
	while (!(await isUp())) {
		if (end === undefined && Date.now() < deadline) {
			await Promise.race([ended, sleep(200)]);
			continue;
		}
		const reason = end ?? `${name} was not ready after ${options.readyWithin / 1000} s`;
		await kill();
		throw new Failure(`${reason}. The end of ${logFile}:\n${lastLines(logFile)}`);
	}
	return { pid: child.pid ?? 0, logFile, ended, stop, kill };
}
