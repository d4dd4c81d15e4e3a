import { join } from 'node:path';
import { startProgram } from './program.mts';

const MAIN = join(import.meta.dirname, '../../sandbox/service/main.mts');

export interface ServiceOptions {
	recordSecrets?: boolean;
	deliveryTimeoutMs?: number;
	/** Further arguments. */
	args?: string[];
}

export type Service = Awaited<ReturnType<typeof startService>>;

/** Starts the emulated service on a free port with its default key and token; it ends with this process. */
export async function startService(options: ServiceOptions = {}) {
	const { recordSecrets, deliveryTimeoutMs, args = [] } = options;
	const given = [
		'--port',
		'0',
		...args,
		...(recordSecrets ? ['--record-secrets'] : []),
		...(deliveryTimeoutMs ? ['--delivery-timeout-ms', String(deliveryTimeoutMs)] : []),
	];
	const { found, stop } = await startProgram(MAIN, given, /http:\S+$/);
	return { url: found[0], stop };
}
