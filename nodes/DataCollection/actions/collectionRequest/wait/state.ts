import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

/** What the node stores with a waiting execution: all that is needed to end the wait. */
export interface WaitState {
	executionId: string;
	/** Milliseconds since 1970; tells apart the waits of one execution. */
	startedAt: number;
	/** When the time limit ends the wait, in milliseconds since 1970; null without a limit. */
	endsAt: number | null;
	/** Seconds that the signed timestamp of a notification may differ from now. */
	maximumAge: number;
	/** The awaited collection requests, each once, in the order in which they come out. */
	requestIds: string[];
	/** The statuses of which each must have had one. */
	statuses: string[];
	/** How many collection requests must get there. */
	needed: number;
	/** Those that are there already, with the status that they had. */
	reached: Array<[requestId: string, status: string]>;
}

/** What is awaited, and which collection requests are there so far, with the status that they had. */
export interface Wait extends Pick<WaitState, 'requestIds' | 'statuses' | 'needed'> {
	reached: Map<string, string>;
}

const KEY = 'dataCollection';

/** Stores the state with the execution. n8n writes it to its database together with the wait. */
export function storeState(context: IExecuteFunctions, state: WaitState): void {
	context.getContext('node')[KEY] = state;
}

/** The state that the node stored. In a webhook call, only an expression can read it. */
export function storedState(context: IWebhookFunctions): WaitState | undefined {
	// Whatever the node's name is, it must not end the string or the expression.
	const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
	const name = context.getNode().name.replace(/[^A-Za-z0-9 ]/g, escaped);
	const stored: unknown = context.evaluateExpression(`{{ $("${name}").context.${KEY} }}`);
	return (stored ?? undefined) as WaitState | undefined;
}

/** A wait, as this process knows it from notifications. n8n stores nothing of these. */
export interface WatchedWait extends Wait {
	startedAt: number;
	/** Whether it began in this process: then no other one receives its notifications. */
	isOwn: boolean;
	/** Whether a call is finding out if the wait is over. */
	isWatched: boolean;
	/** How many notifications there have been, and the item of the last one. */
	notifications: number;
	last?: IDataObject;
}

/** At most this many executions are remembered. The one whose wait began first is dropped first. */
const MAXIMUM_EXECUTIONS = 1_000;

/** The newest wait of each execution. */
const waits = new Map<string, WatchedWait>();

/** What this process knows of an execution's wait: of a new one, what is stored. */
export function watchedWait(state: WaitState, isOwn = false): WatchedWait {
	const { executionId, startedAt, requestIds, statuses, needed } = state;
	const known = waits.get(executionId);
	if (known !== undefined && known.startedAt >= startedAt) return known;
	const reached = new Map(state.reached);
	const fresh = { startedAt, requestIds, statuses, needed, reached, isOwn };
	const wait = { ...fresh, isWatched: false, notifications: 0 };
	waits.delete(executionId);
	const [oldest] = waits.keys();
	if (oldest !== undefined && waits.size >= MAXIMUM_EXECUTIONS) waits.delete(oldest);
	waits.set(executionId, wait);
	return wait;
}

/** Whether no later wait of the execution has begun, as far as this process knows. */
export const isNewest = ({ executionId, startedAt }: WaitState): boolean =>
	waits.get(executionId)?.startedAt === startedAt;
