import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { Failure } from './failure.mts';

// What `npm run` sets for its own script must not affect an npm in another folder.
const ofOuterNpm =
	/^(npm_(lifecycle|package|execpath|command|node_execpath).*|npm_config_(local_prefix|ignore_scripts|global_prefix|prefix)|INIT_CWD|NODE_ENV)$/i;

interface Command {
	/** What it does, for example `Downloading n8n`, for the person at the terminal. */
	title: string;
	command: string;
	args: string[];
	cwd: string;
	/** Variables in addition to those of this process. */
	env?: Record<string, string>;
	/** stdout and stderr are appended to it. */
	logFile: string;
	/** What to do if it fails; ends the sentence that names the log file. */
	advice?: string;
}

/** Runs a command with the sandbox's tools in its PATH; returns its stdout, or throws a Failure. */
export async function run(options: Command): Promise<string> {
	const { title, command, args, cwd, env, logFile, advice } = options;
	await mkdir(path.dirname(logFile), { recursive: true });
	await appendFile(logFile, `\n$ ${command} ${args.join(' ')}\n`);
	console.log(`  ${title} ...`);
	const started = Date.now();
	const goesOn = () =>
		console.log(`  ${title}: ${Math.round((Date.now() - started) / 1000)} s ...`);
	const timer = setInterval(goesOn, 15_000);
	const inherited = Object.entries(process.env).filter(([name]) => !ofOuterNpm.test(name));
	const { failed, stdout, shortMessage } = await execa(command, args, {
		cwd,
		env: { ...Object.fromEntries(inherited), ...env },
		extendEnv: false,
		preferLocal: true,
		localDir: import.meta.dirname,
		stdin: 'ignore',
		stdout: ['pipe', { file: logFile, append: true }],
		stderr: { file: logFile, append: true },
		reject: false,
		// When this process ends, so does the command; npm would survive any other signal.
		killSignal: command === 'npm' ? 'SIGKILL' : 'SIGTERM',
	});
	clearInterval(timer);
	if (failed) {
		await appendFile(logFile, `${shortMessage}\n`);
		throw new Failure(`${title} failed: see ${logFile}${advice ? `, ${advice}` : ''}.`);
	}
	return stdout;
}
