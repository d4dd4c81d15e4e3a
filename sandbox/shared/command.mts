import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';

export interface Command {
	command: string;
	args: string[];
	cwd: string;
	/** Receives stdout and stderr, appended. */
	logFile: string;
}

// What `npm run` tells its scripts about itself must not steer an npm in another folder.
const inherited = /^(npm_(lifecycle|package|execpath|command|node_execpath)|INIT_CWD|NODE_ENV$)/;
const projectSettings = /^npm_config_(local_prefix|ignore_scripts|global_prefix|prefix)$/i;

function commandEnv(): NodeJS.ProcessEnv {
	const keep = ([name]: [string, unknown]) => !inherited.test(name) && !projectSettings.test(name);
	return Object.fromEntries(Object.entries(process.env).filter(keep));
}

/** Runs a command to its end; returns its stdout, or undefined when it failed. */
export async function run({ command, args, cwd, logFile }: Command): Promise<string | undefined> {
	await mkdir(path.dirname(logFile), { recursive: true });
	const log = createWriteStream(logFile, { flags: 'a' });
	log.write(`\n$ ${command} ${args.join(' ')}\n`);
	const child = spawn(command, args, {
		cwd,
		env: commandEnv(),
		stdio: ['ignore', 'pipe', 'pipe'],
		shell: process.platform === 'win32',
	});
	const endWithUs = () => child.kill('SIGTERM');
	process.once('exit', endWithUs);
	let stdout = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		stdout += text;
		log.write(text);
	});
	child.stderr.on('data', (bytes: Buffer) => log.write(bytes));
	const code = await new Promise<number | null>((resolve) => {
		child.on('error', (error) => {
			log.write(`${error.message}\n`);
			resolve(null);
		});
		child.on('close', resolve);
	});
	process.off('exit', endWithUs);
	log.end();
	await finished(log);
	return code === 0 ? stdout : undefined;
}
