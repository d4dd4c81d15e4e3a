import type { IDataObject, IExecuteFunctions, ISourceData, IWebhookFunctions } from 'n8n-workflow';
import * as n8n from 'n8n-workflow';

import { clock } from '../basics/clock';
import { userError } from './errors';
import { executionOf, notesUnder } from './executionData';
import { refuseAlwaysOutputData } from './refusedSettings';
import { isInsideAgent, isTool } from './tool';

const KEY = 'dataCollection';

interface Suspension {
	/** Milliseconds since 1970. */
	until: number;
	/** What the node has to know when it is called: JSON. */
	stored: IDataObject;
	/** The items of the second output; of a tool, of its only output. */
	timedOut: IDataObject[];
	/** For each output, the run that n8n links its items with by position, by default the input. */
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
 * The runs of this node that other branches have led to. They are dropped: if they ran, and output
 * nothing, n8n would return that to a calling workflow as its result.
 */
export function queuedRuns(context: IExecuteFunctions): { count: number; drop: () => void } {
	const { name } = context.getNode();
	const execution = executionOf(context)?.executionData;
	const stack = execution?.nodeExecutionStack ?? [];
	const rest = stack.filter(({ node }) => node.name !== name);
	const drop = () => {
		if (execution) execution.nodeExecutionStack = rest;
	};
	return { count: stack.length - rest.length, drop };
}

/** Clocks go back, and differ between machines, so waits are numbered. */
export function nextNumber(context: IExecuteFunctions): number {
	const counted = notesUnder<number>(context, 'dataCollectionWaits');
	return (counted.last = (counted.last ?? 0) + 1);
}

/**
 * n8n stores all that is set here, and refuses notifications until then. It empties what the node
 * returns if there is an error output.
 */
export async function suspend(
	context: IExecuteFunctions,
	{ until, stored, timedOut, sources }: Suspension,
): Promise<never[][]> {
	const execution = context.getExecuteData();
	// n8n disables this object when it goes on. Other entries of the node on its stack have the same
	// object.
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

/** A webhook call has no `getContext`, and expressions without items fail in Execution Logic v2. */
export function storedWith(context: IWebhookFunctions): unknown {
	const execution = executionOf(context);
	if (execution?.executionData === undefined) return undefined;
	return n8n.NodeHelpers.getContext(execution, 'node', context.getNode())[KEY];
}

/** n8n's token stays in the query. */
export function resumeUrlOf(context: IExecuteFunctions, itemIndex: number, path: string): URL {
	const url = new URL(String(context.evaluateExpression('{{ $execution.resumeUrl }}', itemIndex)));
	url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`;
	return url;
}

/** Milliseconds since 1970. */
export const NEVER = n8n.WAIT_INDEFINITELY.getTime();

/** On SQLite, n8n keeps only four digits of a year: a wait until 12026 would be over at once. */
export const storableEnd = (time: number): number => Math.min(time, NEVER);

/** Milliseconds before the end of a wait in which only n8n ends it. */
const TOO_LATE = 2_000;

/** If both a call and n8n ended a wait, n8n would run both branches. */
export const mayEndBefore = (time: number): boolean => clock.now() < time - TOO_LATE;

/** n8n evaluates this expression without items, and only for parameters with fixed values. */
export const waitingTooltipOf = (text: string) => `={{ ${text} }}`;

/**
 * Before n8n 2.39, items of the second output are lost. An export of n8n-workflow tells the
 * version, but only if n8n itself has loaded the same copy.
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
