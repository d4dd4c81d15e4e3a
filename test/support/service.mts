import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../..');

/** The sandbox is TypeScript: if these tests run on a Node that cannot load it, it uses its own. */
const NODE = process.features.typescript
	? process.execPath
	: join(root, 'node_modules/node/bin/node');
const exitWithParent = pathToFileURL(join(root, 'sandbox/shared/exitWithParent.mts')).href;

/** Starts a program of the sandbox; resolves to what the pattern finds in the first line that it prints. */
async function startProgram(main: string, ready: RegExp) {
	const child = spawn(NODE, ['--import', exitWithParent, join(root, 'sandbox', main)]);
	const closed = once(child, 'close');
	child.stderr.pipe(process.stderr);
	const [line] = (await Promise.race([
		once(createInterface(child.stdout), 'line'),
		closed.then(([code, signal]) => [`it ended with ${code ?? signal}`]),
	])) as [string];
	const found = ready.exec(line);
	if (found === null) {
		child.kill();
		throw new Error(`${main} did not start: ${line}`);
	}
	const stop = async () => {
		child.kill('SIGTERM');
		await closed;
	};
	return { found, stop };
}

export type Service = Awaited<ReturnType<typeof startService>>;

/** Starts the emulated service on a free port with its default key and token; it ends with this process. */
export async function startService() {
	const { found, stop } = await startProgram('service/main.mts', /http:\S+$/);
	return { url: found[0], stop };
}

/** Starts the mailbox on free ports; it ends with this process. */
export async function startMailbox() {
	const ready = /(http:\S+), for SMTP on 127\.0\.0\.1:(\d+)$/;
	const { found, stop } = await startProgram('mailbox/main.mts', ready);
	const [, url = '', smtpPort] = found;
	return { url, smtpPort: Number(smtpPort), stop };
}
