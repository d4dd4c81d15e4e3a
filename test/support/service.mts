import { join } from 'node:path';
import { startProgram } from './program.mts';

const MAIN = join(import.meta.dirname, '../../sandbox/service/main.mts');

export type Service = Awaited<ReturnType<typeof startService>>;

/** Starts the emulated service on a free port with its default key and token; it ends with this process. */
export async function startService() {
	const { found, stop } = await startProgram(MAIN, [], /http:\S+$/);
	return { url: found[0], stop };
}
