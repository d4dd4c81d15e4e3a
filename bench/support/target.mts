import { credentialType, triggerType, triggerUrl } from '../../sandbox/n8n/examples.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import type { N8nRest } from '../../sandbox/n8n/rest.mts';
import type { Credential, WorkflowNode } from '../../sandbox/n8n/types.mts';
import { chain, node } from '../../sandbox/n8n/workflows.mts';
import type { Deployment } from './deployment.mts';

/** A published workflow that receives deliveries. */
export interface Target {
	title: string;
	workflowId: string;
	/** Production URL. */
	url: string;
}

/** Publishes a workflow that starts with our trigger or with n8n's Webhook node. */
export async function publishTarget(
	{ rest, url }: Deployment,
	title: string,
	[start, ...others]: [WorkflowNode, ...WorkflowNode[]],
): Promise<Target> {
	const workflow = await publish(rest, await rest.createWorkflow(chain(title, [start, ...others])));
	const isOurs = start.type === triggerType;
	const webhook = `${url}/webhook/${String(start.parameters.path)}`;
	return { title, workflowId: workflow.id, url: isOurs ? triggerUrl(url, workflow) : webhook };
}

/** A node that does nothing. */
export const noOperation = (name: string) => node(name, 'n8n-nodes-base.noOp', 1, {});

/** Creates a credential for a benchmark; without an address, there is no service behind it. */
export async function benchCredential(
	rest: N8nRest,
	{ url = 'http://127.0.0.1:9', webhookSecret }: { url?: string; webhookSecret?: string },
): Promise<Credential> {
	return await rest.createCredential('bench', credentialType, {
		environment: 'production',
		productionBaseUrl: url,
		productionCollectUrl: url,
		apiKey: 'bench-key',
		tokenId: 'bench-token',
		webhookSecret,
	});
}
