import { Failure } from '../shared/failure.mts';
import { poll } from '../shared/poll.mts';
import type { N8nRest } from './rest.mts';
import type { Publication, Workflow } from './types.mts';

/** Waits until `activate` or `deactivate` has taken effect: n8n responds earlier. */
export async function settled(rest: N8nRest, { id, name }: Workflow): Promise<Publication> {
	let before: string | undefined;
	return await poll({
		expected: `n8n to finish publishing or unpublishing "${name}"`,
		within: 60_000,
		pause: 25,
		read: async () => {
			const publication = await rest.publicationOf(id);
			const { status } = publication;
			// n8n reads this from two tables: only a status seen twice is not a mix of old and new.
			const isSettled = status !== 'in_progress' && status === before;
			before = status;
			return isSettled ? publication : undefined;
		},
	});
}

/** Publishes the workflow and waits until its URLs are live; a Failure has n8n's reasons. */
export async function publish(rest: N8nRest, workflow: Workflow): Promise<Workflow> {
	const published = await rest.activate(workflow);
	const { status, triggers } = await settled(rest, workflow);
	if (status === 'published') return published;
	const reasons = triggers.map(({ errorMessage }) => errorMessage).filter((text) => text !== null);
	throw new Failure(`n8n did not publish "${workflow.name}" (${status}): ${reasons.join(' ')}`);
}
