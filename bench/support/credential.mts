import { credentialType } from '../../sandbox/n8n/examples.mts';
import type { N8nRest } from '../../sandbox/n8n/rest.mts';
import type { Credential } from '../../sandbox/n8n/types.mts';

/** What a benchmark needs of a credential; no service answers unless there is one. */
export async function benchCredential(
	rest: N8nRest,
	{ url = 'http://127.0.0.1:9', webhookSecret }: { url?: string; webhookSecret?: string },
): Promise<Credential> {
	return await rest.createCredential('bench', credentialType, {
		environment: 'staging',
		stagingBaseUrl: url,
		stagingCollectUrl: url,
		apiKey: 'bench-key',
		tokenId: 'bench-token',
		webhookSecret,
	});
}
