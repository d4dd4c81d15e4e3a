import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

/** What a wait is for. */
export interface Goal {
	/** The awaited collection requests, each once, in the order in which they come out. */
	requestIds: string[];
	/** The statuses of which each must have had one. */
	statuses: string[];
	/** How many collection requests must get there. */
	needed: number;
}

/** All that is needed to end a wait. */
export interface Wait extends Goal {
	executionId: string;
	/** Milliseconds since 1970; tells apart the waits of one execution. */
	startedAt: number;
	/** When the time limit ends the wait, in milliseconds since 1970. */
	endsAt: number;
	/** Seconds that the signed timestamp of a notification may differ from now. */
	maximumAge: number;
	/** Those that are there already, with the status that they had. */
	reached: Map<string, string>;
}

const KEY = 'dataCollection';

/** Stores a wait with the execution. n8n writes it to its database when the execution waits. */
export function storeWait(context: IExecuteFunctions, wait: Wait): void {
	context.getContext('node')[KEY] = { ...wait, reached: [...wait.reached] };
}

/** The wait that the node stored. In a webhook call, only an expression can read it. */
export function storedWait(context: IWebhookFunctions): Wait | undefined {
	// Whatever the node's name is, it must not end the string or the expression.
	const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
	const name = context.getNode().name.replace(/[^A-Za-z0-9 ]/g, escaped);
	const stored: unknown = context.evaluateExpression(`{{ $("${name}").context.${KEY} }}`);
	if (!stored) return undefined;
	const wait = stored as Omit<Wait, 'reached'> & { reached: Array<[string, string]> };
	return { ...wait, reached: new Map(wait.reached) };
}

/** A wait, as this process knows it from notifications. n8n stores nothing of these. */
export interface WatchedWait extends Wait {
	/** Whether it began in this process: then no other one receives its notifications. */
	isOwn: boolean;
	/** Whether a call is finding out if the wait is over. */
	isWatched: boolean;
	/** The item of the last notification. */
	last?: IDataObject;
}

/** At most this many executions are remembered. The one whose wait began first is dropped first. */
const MAXIMUM_EXECUTIONS = 1_000;

/** The newest wait of each execution. */
const waits = new Map<string, WatchedWait>();

/** What this process knows of a wait: of a new one, what is stored. */
export function watchedWait(wait: Wait, isOwn = false): WatchedWait {
	const { executionId, startedAt } = wait;
	const known = waits.get(executionId);
	if (known?.startedAt === startedAt) return known;
	const watched = { ...wait, isOwn, isWatched: false };
	if (known !== undefined && known.startedAt > startedAt) return watched;
	waits.delete(executionId);
	const [oldest] = waits.keys();
	if (oldest !== undefined && waits.size >= MAXIMUM_EXECUTIONS) waits.delete(oldest);
	waits.set(executionId, watched);
	return watched;
}

/** Whether no later wait of the execution has begun, as far as this process knows. */
export const isNewest = (wait: WatchedWait): boolean => waits.get(wait.executionId) === wait;
