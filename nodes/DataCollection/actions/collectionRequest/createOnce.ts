import type { NodeApiError } from 'n8n-workflow';

import type { CollectionRequest } from '../../api/types';
import { isOutcomeUnknown } from '../../api/errors';
import type { Run } from '../operation';
import { runsInsideAnAgent } from '../operation';

/** What happened to an item. */
interface Try {
	creating: Promise<CollectionRequest>;
	/** The ID of the created collection request. */
	id?: string;
	/** The description of its error, before the router added to it. */
	description?: string | null;
}

/** By the execute data: all tries of a run share one object; each round of a loop has a new one. */
const tries = new WeakMap<object, Map<number, Try>>();

/**
 * Creates an item's collection request at most once, however often Retry On Fail runs the node. If
 * it was created, later tries return it. If that is unknown, they throw the same error. They only
 * try again if it was certainly not created.
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
			// The node may fail before it reaches items that an earlier try has created.
			for (const { id } of earlierTries.values()) if (id !== undefined) run.created.add(id);
			throw error;
		},
	);
}

/** No memory inside an agent: there, all tool calls share the agent's own execute data. */
function triesOf(run: Run): Map<number, Try> {
	if (runsInsideAnAgent(run)) return new Map();
	const executeData = run.context.getExecuteData();
	const known = tries.get(executeData) ?? new Map<number, Try>();
	tries.set(executeData, known);
	return known;
}
