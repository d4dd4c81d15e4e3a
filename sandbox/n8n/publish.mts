import { Failure } from '../shared/failure.mts';
import { until } from '../shared/until.mts';
import type { N8nRest } from './rest.mts';
import type { Publication, Workflow } from './types.mts';

/** Waits until `activate` or `deactivate` has taken effect: n8n responds earlier. */
export async function settled(rest: N8nRest, { id, name }: Workflow): Promise<Publication> {
	let before: string | undefined;
	return await until(`n8n has published or unpublished "${name}"`, async () => {
		const publication = await rest.publicationOf(id);
		const { status } = publication;
		// n8n reads this from two tables: only a status seen twice is not a mix of old and new.
		const isSettled = status !== 'in_progress' && status === before;
		before = status;
		return isSettled ? publication : undefined;
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
