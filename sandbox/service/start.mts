import { listen } from '../shared/http/server.mts';
import { buildApp } from './app.mts';

/** Starts the emulated service in this process, at any free port by default. */
export async function startService(port = 0) {
	return await listen(await buildApp(), port);
}
