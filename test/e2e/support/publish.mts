import type { N8nRest } from '../../../sandbox/n8n/rest.mts';
import type { Publication, Workflow } from '../../../sandbox/n8n/types.mts';
import { until } from './until.mts';

async function settled(rest: N8nRest, id: string): Promise<Publication> {
	return await until('the publication is settled', async () => {
		const publication = await rest.publicationOf(id);
		return publication.status === 'in_progress' ? undefined : publication;
	});
}

/** Publishes and waits until n8n has done so: it answers before the webhook is there. */
export async function publish(rest: N8nRest, workflow: Workflow): Promise<Workflow> {
	const published = await rest.activate(workflow);
	const { status, triggers } = await settled(rest, workflow.id);
	if (status === 'published') return published;
	throw new Error(`${status}: ${triggers.map(({ errorMessage }) => errorMessage).join()}`);
}

/** Takes a workflow off and waits until its webhook is gone. */
export async function unpublish(rest: N8nRest, { id }: Workflow): Promise<void> {
	await rest.deactivate(id);
	const { status } = await settled(rest, id);
	if (status !== 'not_published') throw new Error(`The workflow is still ${status}`);
}

/** Publishes in vain; answers what n8n says about our trigger. */
export async function failureToPublish(rest: N8nRest, workflow: Workflow): Promise<string> {
	await rest.activate(workflow);
	const { status, triggers } = await settled(rest, workflow.id);
	return `${status}: ${triggers.map(({ errorMessage }) => errorMessage).join()}`;
}
