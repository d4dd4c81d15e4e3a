import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

/** The sandbox is TypeScript: if these tests run on a Node that cannot load it, it uses its own. */
const NODE = process.features.typescript
	? process.execPath
	: join(import.meta.dirname, '../../node_modules/node/bin/node');

const exitWithParent = pathToFileURL(
	join(import.meta.dirname, '../../sandbox/shared/exitWithParent.mts'),
).href;

/**
 * Starts a program of the sandbox; resolves to what the pattern finds in the first line that it
 * prints. If that is not the line, the error has what the program said. It ends with this process.
 */
export async function startProgram(main: string, args: string[], ready: RegExp) {
	const child = spawn(NODE, ['--import', exitWithParent, main, ...args]);
	const closed = once(child, 'close');
	let errors = '';
	child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
	const [line] = (await Promise.race([
		once(createInterface(child.stdout), 'line'),
		closed.then(([code, signal]) => [`it ended with ${code ?? signal}`]),
	])) as [string];
	const found = ready.exec(line);
	if (found === null) {
		child.kill();
		const name = join(basename(dirname(main)), basename(main));
		throw new Error(`${name} ${args.join(' ')} did not start: ${line}\n${errors}`);
	}
	child.stderr.pipe(process.stderr);
	const stop = async () => {
		child.kill('SIGTERM');
		await closed;
	};
	return { found, stop };
}
