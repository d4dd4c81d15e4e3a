/** Each environment has its own address, keys and collection requests (Environments). */
export interface Environment {
	name: 'staging' | 'production';
	/** Precedes the paths of the API and of guest links. */
	prefix: string;
	apiKey: string;
	tokenId: string;
}

/** Both environments; the keys of staging can be chosen. */
export const environmentsWith = (chosen: { apiKey?: string; tokenId?: string }): Environment[] => [
	{
		name: 'staging',
		prefix: '',
		apiKey: chosen.apiKey || 'sandbox-api-key',
		tokenId: chosen.tokenId || 'sandbox-token-id',
	},
	{
		name: 'production',
		prefix: '/production',
		apiKey: 'sandbox-production-api-key',
		tokenId: 'sandbox-production-token-id',
	},
];
