import { triggerUrl } from '../../sandbox/n8n/examples.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import type { Credential, WorkflowNode } from '../../sandbox/n8n/types.mts';
import type { Deployment } from '../deployment/deployment.mts';
import { chain, node, triggerNode, webhookNode } from '../support/workflows.mts';

/** A published workflow that takes deliveries. */
export interface Target {
	name: string;
	workflowId: string;
	url: string;
}

/** Both answer once n8n has stored the execution, and do nothing after that. */
export interface Targets {
	ours: Target;
	/** n8n's own Webhook node, which checks nothing. */
	plain: Target;
}

const noOperation = () => node('No Operation', 'n8n-nodes-base.noOp', 1, {});

export async function createTargets(
	{ rest, url }: Deployment,
	credential: Credential,
): Promise<Targets> {
	const create = async (name: string, start: WorkflowNode) =>
		await publish(rest, await rest.createWorkflow(chain(name, [start, noOperation()])));
	const ours = await create('Load: Data Collection Trigger', triggerNode(credential));
	const webhook = webhookNode();
	const plain = await create('Load: Webhook', webhook);
	return {
		ours: { name: 'Data Collection Trigger', workflowId: ours.id, url: triggerUrl(url, ours) },
		plain: {
			name: 'Webhook (n8n)',
			workflowId: plain.id,
			url: `${url}/webhook/${String(webhook.parameters.path)}`,
		},
	};
}
