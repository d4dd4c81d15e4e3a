import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';

const isWindows = process.platform === 'win32';

export interface Command {
	command: string;
	args: string[];
	cwd: string;
	/** Variables in addition to those of this process. */
	env?: Record<string, string>;
	/** stdout and stderr are appended to it. */
	logFile: string;
}

// Variables that `npm run` sets for its scripts must not affect an npm in another folder.
const inherited = /^(npm_(lifecycle|package|execpath|command|node_execpath)|INIT_CWD|NODE_ENV$)/;
const projectSettings = /^npm_config_(local_prefix|ignore_scripts|global_prefix|prefix)$/i;

/**
 * Runs a command to its end; returns its stdout, or undefined if it failed. The sandbox's tools
 * come first in its PATH, and everything it has started ends with this process.
 */
export async function run({
	command,
	args,
	cwd,
	env,
	logFile,
}: Command): Promise<string | undefined> {
	await mkdir(path.dirname(logFile), { recursive: true });
	await appendFile(logFile, `\n$ ${command} ${args.join(' ')}\n`);
	const log = { file: logFile, append: true };
	const keep = ([name]: [string, unknown]) => !inherited.test(name) && !projectSettings.test(name);
	const child = execa(command, args, {
		cwd,
		env: { ...Object.fromEntries(Object.entries(process.env).filter(keep)), ...env },
		extendEnv: false,
		preferLocal: true,
		localDir: import.meta.dirname,
		stdin: 'ignore',
		stdout: ['pipe', log],
		stderr: log,
		reject: false,
		detached: !isWindows,
	});
	// npm survives any other signal, and passes none on to the processes of a package's script.
	const signal = command === 'npm' ? 'SIGKILL' : 'SIGTERM';
	const endWithUs = () => {
		if (child.pid !== undefined) process.kill(isWindows ? child.pid : -child.pid, signal);
	};
	process.once('exit', endWithUs);
	const { failed, stdout, shortMessage } = await child;
	process.off('exit', endWithUs);
	if (failed) await appendFile(logFile, `${shortMessage}\n`);
	return failed ? undefined : stdout;
}
