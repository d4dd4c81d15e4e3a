import type { IDataObject, IExecuteFunctions, ISourceData, IWebhookFunctions } from 'n8n-workflow';
import * as n8n from 'n8n-workflow';

import { clock } from '../basics/clock';
import { userError } from './errors';
import { executionOf, notesUnder } from './execution';
import { isInsideAgent, isTool, refuseAlwaysOutputData } from './node';

const KEY = 'dataCollection';

/** How an execution waits, and what is output when the time limit ends the wait. */
export interface Suspension {
	/** Milliseconds since 1970. */
	until: number;
	/** What the node has to know when it is called: JSON. */
	stored: IDataObject;
	/** The items of the second output; of a tool, of its only output. */
	timedOut: IDataObject[];
	/**
	 * For each output, the run whose items n8n links its items with, position by position. As n8n leaves
	 * it, that is the node's input: another person's data.
	 */
	sources: Array<ISourceData | null>;
}

/** Throws a UserError if n8n cannot suspend this node, or end the wait at its limit. */
export function assertCanSuspend(
	context: IExecuteFunctions,
	{ hasLimit }: { hasLimit: boolean },
): void {
	refuseAlwaysOutputData(context, 'Done');
	if (hasLimit) assertTimedOutLeaves(context);
	if (!isInsideAgent(context)) return;
	const message = 'A tool cannot wait inside the process of an AI Agent';
	const description =
		'AI Agents before version 3 run their tools in their own process, and so does Execute Step on a tool. Use version 3 or newer of the AI Agent, or put Wait after the agent.';
	throw userError({ message, description });
}

/**
 * The runs of this node that n8n is about to begin, because other branches have led to it, too. `drop`
 * takes them away. If they output nothing instead, n8n would take the last nothing for what this
 * workflow returns to the one that has called it.
 */
export function runsToCome(context: IExecuteFunctions): { count: number; drop: () => void } {
	const { name } = context.getNode();
	const execution = executionOf(context)?.executionData;
	const stack = execution?.nodeExecutionStack ?? [];
	const others = stack.filter(({ node }) => node.name !== name);
	const drop = () => {
		if (execution) execution.nodeExecutionStack = others;
	};
	return { count: stack.length - others.length, drop };
}

/** The next number for a wait of this execution. Clocks go back, and differ between machines. */
export function nextNumber(context: IExecuteFunctions): number {
	const counted = notesUnder<number>(context, 'dataCollectionWaits');
	return (counted.last = (counted.last ?? 0) + 1);
}

/**
 * Hands the execution over to n8n, which stores all that is set here, and refuses notifications until
 * it has. Resolves to what the node returns: n8n empties that if there is an error output.
 */
export async function suspend(
	context: IExecuteFunctions,
	{ until, stored, timedOut, sources }: Suspension,
): Promise<never[][]> {
	const execution = context.getExecuteData();
	// n8n disables this object when it goes on. Other entries of the node on its stack have the same one.
	execution.node = { ...execution.node };
	const items = timedOut.map((json) => ({ json }));
	if (isTool(context)) {
		execution.data.main = [items];
	} else {
		execution.source = { main: sources };
		execution.data.main = [[], items];
		context.setMetadata({ forwardAllOutputs: true });
	}
	context.getContext('node')[KEY] = stored;
	await context.putExecutionToWait(new Date(until));
	return [[], []];
}

/**
 * What {@link suspend} stored. A webhook call has no `getContext`, and its types leave out the execution.
 * An expression would find it, too, but not with Execution Logic v2: n8n 2.41 then fails at every
 * expression that it evaluates without items.
 */
export function storedWith(context: IWebhookFunctions): unknown {
	const execution = executionOf(context);
	if (execution?.executionData === undefined) return undefined;
	return n8n.NodeHelpers.getContext(execution, 'node', context.getNode())[KEY];
}

/** The address of this execution's webhook at a path. n8n's token stays in the query. */
export function resumeUrlOf(context: IExecuteFunctions, itemIndex: number, path: string): URL {
	const url = new URL(String(context.evaluateExpression('{{ $execution.resumeUrl }}', itemIndex)));
	url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`;
	return url;
}

/** The end of a wait without a limit, in milliseconds since 1970. */
export const NEVER = n8n.WAIT_INDEFINITELY.getTime();

/** On SQLite, n8n keeps only four digits of a year: a wait until 12026 would be over at once. */
export const storableEnd = (time: number): number => Math.min(time, NEVER);

/** Milliseconds before the end of a wait in which only n8n ends it. */
const TOO_LATE = 2_000;

/**
 * Whether a call may still end a wait that n8n ends at this time. If both did, n8n would continue the
 * execution twice: both branches would run.
 */
export const mayEndBefore = (time: number): boolean => clock.now() < time - TOO_LATE;

/**
 * What the editor shows at a node that waits: an expression. n8n evaluates it without items, and only
 * for parameters with fixed values.
 */
export const waitingTooltipOf = (text: string) => `={{ ${text} }}`;

/**
 * Before n8n 2.39, what leaves a wait by the second output is lost. That version has brought an export
 * of n8n-workflow, which says something about this n8n only if n8n itself has loaded the same copy.
 * A tool has no second output.
 */
function assertTimedOutLeaves(context: IExecuteFunctions): void {
	if (isTool(context)) return;
	const isOfThisN8n = 'workflow' in context && context.workflow instanceof n8n.Workflow;
	if (!isOfThisN8n) {
		const message = 'Limit Wait Time cannot tell whether this n8n is 2.39 or newer';
		const description =
			"Beside this package, there is another n8n-workflow than n8n's own. Delete the folder n8n-workflow from the node_modules that contain this package, e.g. in ~/.n8n/nodes, and restart n8n. Or turn off Limit Wait Time: notifications then end the wait.";
		throw userError({ message, description });
	}
	if (!('N8N_NODES_API_VERSION' in n8n)) {
		const description =
			"Update n8n, or turn off Limit Wait Time: notifications then end the wait. In older versions of n8n, the items of Time's Up would be lost.";
		throw userError({ message: 'Limit Wait Time needs n8n 2.39 or newer', description });
	}
}
