/** The API key and token ID that the emulated service accepts: everybody knows them. */
export const serviceCredential = { apiKey: 'sandbox-api-key', tokenId: 'sandbox-token-id' };
