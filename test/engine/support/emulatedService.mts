import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../../..');

/** The sandbox is TypeScript: if these tests run on a Node that cannot load it, it uses its own. */
const NODE = process.features.typescript
	? process.execPath
	: join(root, 'node_modules/node/bin/node');
const exitWithParent = pathToFileURL(join(root, 'sandbox/shared/exitWithParent.mts')).href;

export type Service = Awaited<ReturnType<typeof startService>>;

/**
 * Starts the emulated service on a free port, in a process that ends with this one: jest's own runner
 * cannot load it.
 */
export async function startService() {
	const main = join(root, 'sandbox/service/main.mts');
	const child = spawn(NODE, ['--import', exitWithParent, main]);
	const closed = once(child, 'close');
	child.stderr.pipe(process.stderr);
	const [line] = (await Promise.race([
		once(createInterface(child.stdout), 'line'),
		closed.then(([code, signal]) => [`it ended with ${code ?? signal}`]),
	])) as [string];
	const [url] = /http:\S+$/.exec(line) ?? [];
	if (url === undefined) {
		child.kill();
		throw new Error(`The service did not start: ${line}`);
	}
	const stop = async () => {
		child.kill('SIGTERM');
		await closed;
	};
	return { url, stop };
}
