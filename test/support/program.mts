import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The sandbox is TypeScript: if these tests run on a Node that cannot load it, it uses its own. */
const NODE = process.features.typescript
	? process.execPath
	: join(import.meta.dirname, '../../node_modules/node/bin/node');

/** Starts a program of the sandbox; resolves to the first line that it prints. It ends with this process. */
export async function startProgram(main: string, args: string[]) {
	const stdio = ['pipe', 'pipe', 'inherit'] as const;
	const child = spawn(NODE, [main, '--parent', ...args], { stdio: [...stdio] });
	const exited = once(child, 'exit');
	const [line] = (await Promise.race([
		once(createInterface(child.stdout), 'line'),
		exited.then(() => ['']),
	])) as [string];
	const stop = async () => {
		child.kill('SIGTERM');
		await exited;
	};
	return { line, stop };
}
