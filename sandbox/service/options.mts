/** What the service can be started with; times in milliseconds. */
export interface ServiceOptions {
	deliveryTimeoutMs: number;
	recordSecrets: boolean;
	/** What it listens on. */
	host: string;
	/** Further addresses that it is reached at, each with its port. */
	addresses: string[];
}

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

/** Fills what the caller left out; 5 seconds is the service's own limit (Delivery). */
export function resolveOptions(options: Partial<ServiceOptions> = {}): ServiceOptions {
	const { deliveryTimeoutMs = 5000, recordSecrets = false } = options;
	const { host = '127.0.0.1', addresses = [] } = options;
	return { deliveryTimeoutMs, recordSecrets, host, addresses };
}
