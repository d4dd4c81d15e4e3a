import { startOwnServer } from './server.mts';

/** The API key and token ID that a fresh sandbox service accepts. */
export const serviceCredential = { apiKey: 'sandbox-api-key', tokenId: 'sandbox-token-id' };

/** Starts the emulated service, whose address is both the API base URL and the collect URL. */
export async function startService(options: { port: number; logFile: string }) {
	return await startOwnServer('The sandbox service', 'service/main.mts', options);
}
