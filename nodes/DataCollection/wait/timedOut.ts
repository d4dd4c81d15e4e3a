import type { NodeHint } from 'n8n-workflow';

import { isTool, downstreamNodes } from '../n8n/graph';
import type { Run } from '../operation/operation';

/** The operations that tell what is completed from what is not. */
const READERS = ['checkStatus', 'get', 'getPeopleToRemind', 'wait'];

const UNREAD =
	'When the limit is over, everything that was awaited leaves by Timed Out, unread, also what is completed by then, and no node there reads it again. Lead Timed Out to Check Status, or to Get People to Remind.';
/** Said when nothing is waited for. */
export const OVER =
	'Max Date and Time is over already, so this node does not wait: everything that was awaited leaves by Timed Out at once, unread.';

/** Says so before the wait begins if nothing behind Timed Out reads what leaves there. */
export function hintIfUnread(run: Run): void {
	if (!isReadAgain(run)) run.hint(UNREAD);
}

/**
 * Whether a node behind Timed Out reads what leaves there. A sub-workflow may do so, and so does whoever
 * uses the node as a tool.
 */
const isReadAgain = (run: Run): boolean =>
	isTool(run) ||
	downstreamNodes(run, 1).some(({ type, disabled, parameters }) =>
		type === run.context.getNode().type
			? !disabled &&
				parameters?.resource === 'collectionRequest' &&
				READERS.includes(String(parameters.operation))
			: type.endsWith('.executeWorkflow'),
	);

/**
 * What the editor shows with the output. n8n drops the node's own hints when the limit ends the wait,
 * and gives this condition no output.
 */
export const limitHints: NodeHint[] = [
	{
		type: 'info',
		location: 'outputPane',
		whenToDisplay: 'afterExecution',
		displayCondition:
			'={{ $parameter["operation"] === "wait" && $parameter["limitWaitTime"] === true }}',
		message:
			'Timed Out has everything that was awaited, unread, also what is completed by now. Lead it to Check Status, or to Get People to Remind.',
	},
];
