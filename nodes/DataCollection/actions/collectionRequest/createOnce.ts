import type { NodeApiError } from 'n8n-workflow';

import type { CollectionRequest } from '../../api/types';
import { isOutcomeUnknown } from '../../api/errors';
import type { Run } from '../operation';
import { runsInsideAnAgent } from '../operation';

/** What became of an item. */
interface Try {
	creating: Promise<CollectionRequest>;
	/** What was created. */
	id?: string;
	/** The words of its error before the router added to them. */
	description?: string | null;
}

/** By the execute data, which n8n hands to every try alike, and anew to each round of a loop. */
const tries = new WeakMap<object, Map<number, Try>>();

/**
 * Creates the collection request of an item at most once in all tries of n8n's Retry On Fail. One that
 * was created is given back; where that is not known, the error is thrown again; only what was
 * certainly not created is tried again.
 */
export async function createOnce(
	run: Run,
	itemIndex: number,
	create: () => Promise<CollectionRequest>,
): Promise<CollectionRequest> {
	const earlierTries = triesOf(run);
	const earlier = earlierTries.get(itemIndex);
	const current: Try = earlier ?? { creating: create() };
	earlierTries.set(itemIndex, current);
	return await current.creating.then(
		(created) => {
			current.id = created._id;
			run.created.add(created._id);
			return created;
		},
		(error: NodeApiError) => {
			if (!isOutcomeUnknown(error)) earlierTries.delete(itemIndex);
			else if (earlier === undefined) current.description = error.description;
			else error.description = current.description;
			// The node may end before it comes to items that an earlier try has created.
			for (const { id } of earlierTries.values()) if (id !== undefined) run.created.add(id);
			throw error;
		},
	);
}

/** Inside an agent's process the execute data is the agent's, shared by all calls of its tools. */
function triesOf(run: Run): Map<number, Try> {
	if (runsInsideAnAgent(run)) return new Map();
	const executeData = run.context.getExecuteData();
	const known = tries.get(executeData) ?? new Map<number, Try>();
	tries.set(executeData, known);
	return known;
}
