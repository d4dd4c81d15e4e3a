import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { isOutcomeUnknown } from '../../api/errors';
import type { Run } from '../operation';
import { runsInsideAnAgent } from '../operation';

/** What happened to an item. */
interface Try {
	output: Promise<IDataObject[]>;
	/** The description of its error, before the router added to it. */
	description?: string | null;
}

/** By the execute data: all tries of a run share one object; each round of a loop has a new one. */
const tries = new WeakMap<object, Map<number, Try>>();

/**
 * Creates an item's collection request at most once, however often Retry On Fail runs the node. If
 * it was created, later tries output the same. If that is unknown, they throw the same error. They
 * only try again if it was certainly not created. `prepare` reads the parameters, and resolves to the
 * function that creates the collection request and resolves to the item's output.
 */
export async function createOnce(
	run: Run,
	itemIndex: number,
	prepare: () => Promise<() => Promise<IDataObject[]>>,
): Promise<() => Promise<IDataObject[]>> {
	const earlierTries = triesOf(run);
	const earlier = earlierTries.get(itemIndex);
	const create = earlier === undefined ? await prepare() : async () => await earlier.output;
	return async () => {
		const current: Try = earlier ?? { output: create() };
		earlierTries.set(itemIndex, current);
		return await current.output.then(
			(output) => {
				run.created.add(run.connection.sanitizer.text(String(output[0]?.requestId)));
				return output;
			},
			(error: NodeApiError) => {
				if (!isOutcomeUnknown(error)) earlierTries.delete(itemIndex);
				else if (earlier === undefined) current.description = error.description;
				else error.description = current.description;
				throw error;
			},
		);
	};
}

/** No memory inside an agent: there, all tool calls share the agent's own execute data. */
function triesOf(run: Run): Map<number, Try> {
	if (runsInsideAnAgent(run)) return new Map();
	const executeData = run.context.getExecuteData();
	const known = tries.get(executeData) ?? new Map<number, Try>();
	tries.set(executeData, known);
	return known;
}
