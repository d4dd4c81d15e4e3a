/** Each environment has its own address, keys and collection requests (Environments). */
export type Environment = (typeof environments)[number];

export const environments = [
	{
		name: 'staging',
		// Precedes the paths of the API and of guest links.
		prefix: '',
		apiKey: process.env.SANDBOX_API_KEY || 'sandbox-api-key',
		tokenId: process.env.SANDBOX_TOKEN_ID || 'sandbox-token-id',
	},
	{
		name: 'production',
		prefix: '/production',
		apiKey: 'sandbox-production-api-key',
		tokenId: 'sandbox-production-token-id',
	},
] as const;
