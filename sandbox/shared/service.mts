import { startOwnServer } from './server.mts';

/** What a fresh sandbox service accepts as API key and token ID. */
export const serviceCredential = { apiKey: 'sandbox-api-key', tokenId: 'sandbox-token-id' };

/** Starts the emulated service, whose address is both API base URL and collect URL. */
export async function startService(options: { port: number; args?: string[]; logFile: string }) {
	return await startOwnServer('The sandbox service', 'service/main.mts', options);
}
