/** What the service can be started with; times in milliseconds. */
export interface ServiceOptions {
	apiKey: string;
	tokenId: string;
	deliveryTimeoutMs: number;
	recordSecrets: boolean;
	/** What it listens on. */
	host: string;
	/** Further addresses that it is reached at, each with its port. */
	addresses: string[];
}

export const DEFAULT_API_KEY = 'sandbox-api-key';
export const DEFAULT_TOKEN_ID = 'sandbox-token-id';

/** Fills what the caller left out, from the environment and then from the defaults. */
export function resolveOptions(options: Partial<ServiceOptions> = {}): ServiceOptions {
	return {
		apiKey: options.apiKey ?? (process.env.SANDBOX_API_KEY || DEFAULT_API_KEY),
		tokenId: options.tokenId ?? (process.env.SANDBOX_TOKEN_ID || DEFAULT_TOKEN_ID),
		// 5 seconds (Delivery).
		deliveryTimeoutMs: options.deliveryTimeoutMs ?? 5000,
		recordSecrets: options.recordSecrets ?? false,
		host: options.host ?? '127.0.0.1',
		addresses: options.addresses ?? [],
	};
}
