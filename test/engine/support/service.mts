import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface ServiceOptions {
	recordSecrets?: boolean;
	deliveryTimeoutMs?: number;
	/** Further arguments. */
	args?: string[];
}

export interface Service {
	url: string;
	stop(): Promise<void>;
}

const ROOT = join(import.meta.dirname, '../../..');
const MAIN = join(ROOT, 'sandbox/service/main.mts');

/** The service is TypeScript: where these tests run on a Node that takes none, it has its own. */
const NODE = process.features.typescript
	? process.execPath
	: join(ROOT, 'node_modules', 'node', 'bin', 'node');

/** Starts the emulated service on a free port with its default key and token; it ends with us. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
	const args = [MAIN, '--port', '0', '--parent', ...(options.args ?? [])];
	if (options.recordSecrets) args.push('--record-secrets');
	if (options.deliveryTimeoutMs) {
		args.push('--delivery-timeout-ms', String(options.deliveryTimeoutMs));
	}
	const env = { ...process.env, SANDBOX_API_KEY: '', SANDBOX_TOKEN_ID: '' };
	const child = spawn(NODE, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
	const exited = once(child, 'exit');
	const line = await Promise.race([
		once(createInterface(child.stdout), 'line').then(([text]) => String(text)),
		exited.then(() => ''),
	]);
	const url = /http:\S+$/.exec(line)?.[0];
	if (!url) throw new Error('The sandbox service did not start.');
	return {
		url,
		async stop() {
			child.kill('SIGTERM');
			await exited;
		},
	};
}
