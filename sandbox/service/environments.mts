/** Each environment has an address, keys and collection requests of its own (Environments). */
export interface Environment {
	name: 'staging' | 'production';
	/** Comes before the paths of the API and of guest links. */
	prefix: string;
	apiKey: string;
	tokenId: string;
}

export const environments: readonly Environment[] = [
	{
		name: 'staging',
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
];
