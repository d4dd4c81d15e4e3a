import { Failure } from '../shared/failure.mts';
import { poll } from '../shared/poll.mts';
import type { N8nRest } from './rest.mts';
import type { Workflow } from './types.mts';

/** Publishes the workflow and waits until its addresses answer; a Failure in n8n's words. */
export async function publish(rest: N8nRest, workflow: Workflow): Promise<Workflow> {
	const published = await rest.activate(workflow);
	const { status, triggers } = await poll({
		expected: `"${workflow.name}" to be published`,
		within: 30_000,
		read: async () => {
			const publication = await rest.publicationOf(workflow.id);
			return publication.status === 'in_progress' ? undefined : publication;
		},
	});
	if (status === 'published') return published;
	const reasons = triggers.map(({ errorMessage }) => errorMessage).filter((text) => text !== null);
	throw new Failure(`n8n did not publish "${workflow.name}" (${status}): ${reasons.join(' ')}`);
}
