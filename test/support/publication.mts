import { settled } from '../../sandbox/n8n/publish.mts';
import type { N8nRest } from '../../sandbox/n8n/rest.mts';
import type { Workflow } from '../../sandbox/n8n/types.mts';

/** Takes a workflow off and waits until its webhook is gone. */
export async function unpublish(rest: N8nRest, workflow: Workflow): Promise<void> {
	await rest.deactivate(workflow.id);
	const { status } = await settled(rest, workflow);
	if (status !== 'not_published') throw new Error(`The workflow is still ${status}`);
}
