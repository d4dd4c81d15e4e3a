import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { CollectionRequest } from '../../../api/types';
import { hasStatus } from '../../../webhook/notification';

/** What one input item waits for, as evaluated when the wait began. */
export interface AwaitedItem {
	requestId: string;
	statuses: string[];
}

/** When a wait is over. */
export interface Goal {
	/** One entry for each input item, in input order. */
	awaited: AwaitedItem[];
	/** How many collection requests must have had an awaited status. */
	needed: number;
}

/** The statuses that verified notifications and reads have shown, oldest first, by request ID. */
export type Known = ReadonlyMap<string, readonly string[]>;

/** What reading a collection request has shown. A wait cannot cure a fatal failure. */
export type Read =
	| { ok: true; request: CollectionRequest }
	| { ok: false; failure: 'refused' | 'fatal' | 'temporary'; error: unknown };

/** What reading has shown, by request ID. */
export type Reading = ReadonlyMap<string, Read>;

export const NOTHING_READ: Reading = new Map();

/** What the node stores with a waiting execution. */
export interface WaitState extends Goal {
	executionId: string;
	/** Milliseconds since 1970; tells apart the waits of one execution. */
	startedAt: number;
	/** When the time limit ends the wait, in milliseconds since 1970; null without a limit. */
	endsAt: number | null;
	includeShare: boolean;
	/** The statuses that were known before the wait, by request ID. */
	known: Array<[requestId: string, statuses: string[]]>;
}

/** The IDs of the awaited collection requests, each once even if several items name it. */
export const idsOf = (awaited: AwaitedItem[]) => [...new Set(awaited.map((one) => one.requestId))];

/**
 * Whether a collection request has had the status that each of its items awaits. A status that was
 * reached stays reached, whatever comes after it.
 */
export function isReached(awaited: AwaitedItem[], known: Known, id: string): boolean {
	const had = known.get(id) ?? [];
	return awaited
		.filter(({ requestId }) => requestId === id)
		.every(({ statuses }) => had.some((status) => hasStatus(statuses, status)));
}

/** What is known, with statuses that were reported since then. Skips what is not a status. */
export function learn(
	known: Known,
	reported: Iterable<readonly [id: string, statuses: readonly unknown[]]>,
): Known {
	const all = new Map(known);
	for (const [id, statuses] of reported) {
		const texts = statuses.filter((status) => typeof status === 'string').filter(Boolean);
		const history = [...(all.get(id) ?? []), ...texts];
		all.set(
			id,
			history.filter((status, index) => status !== history[index - 1]),
		);
	}
	return all;
}

const KEY = 'dataCollection';

/** Stores the state with the execution. n8n writes it to its database together with the wait. */
export function storeState(context: IExecuteFunctions, state: WaitState): void {
	context.getContext('node')[KEY] = state;
}

/**
 * The collection requests for which this node waited before, in a loop, if the limit ended that wait.
 * Drops what was stored for it.
 */
export function takeTimedOut(context: IExecuteFunctions, { ended }: Memory, now: number): string[] {
	const stored = context.getContext('node');
	const before = stored[KEY] as WaitState | undefined;
	delete stored[KEY];
	const isTimedOut = ended === undefined && now >= (before?.endsAt ?? Infinity);
	return before !== undefined && isTimedOut ? idsOf(before.awaited) : [];
}

/** Reads what the node stored. In a webhook call, only an expression can do that. */
export function readState(context: IWebhookFunctions): WaitState | undefined {
	// Whatever the node's name is, it must not end the string or the expression.
	const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
	const name = context.getNode().name.replace(/[^A-Za-z0-9 ]/g, escaped);
	const stored: unknown = context.evaluateExpression(`{{ $("${name}").context.${KEY} }}`);
	return (stored ?? undefined) as WaitState | undefined;
}

/**
 * What this process remembers of an execution. n8n stores nothing of a notification that does not
 * end a wait, so other processes do not know it, and neither does this one after a restart.
 */
export interface Memory {
	known: Known;
	/** When its newest wait began, in milliseconds since 1970. */
	startedAt: number;
	/** Whether that was in this process: then no other one receives its notifications. */
	isOwn: boolean;
	/** The collection requests that had an awaited status when that wait ended; none before that. */
	ended?: string[];
	/** The end of the reading that is under way, and the one that is queued after it: never more. */
	currentReading?: Promise<void>;
	queuedReading?: Promise<Reading>;
	/** Tells the call that will look later that another one does. */
	replaceLooker?: () => void;
}

/** At most this many executions are remembered. The one unused for longest is dropped first. */
const MAXIMUM_EXECUTIONS = 1_000;

const memories = new Map<string, Memory>();

export function memoryOf(executionId: string): Memory {
	const empty = { known: new Map(), startedAt: 0, isOwn: false };
	const memory: Memory = memories.get(executionId) ?? empty;
	memories.delete(executionId);
	const [oldest] = memories.keys();
	if (oldest !== undefined && memories.size >= MAXIMUM_EXECUTIONS) memories.delete(oldest);
	memories.set(executionId, memory);
	return memory;
}

/**
 * Notes that a wait begins. What has ended one wait does not end another one: a collection request
 * may have another status by now.
 */
export function beginWait(memory: Memory, startedAt: number, isOwn: boolean): void {
	const known = new Map(memory.known);
	for (const id of memory.ended ?? []) known.delete(id);
	const nothingYet = { ended: undefined, currentReading: undefined, queuedReading: undefined };
	Object.assign(memory, { known, startedAt, isOwn, ...nothingYet });
}

/** Notes that a wait for these collection requests has ended. */
export function endWait(memory: Memory, awaited: AwaitedItem[]): void {
	memory.ended = idsOf(awaited).filter((id) => isReached(awaited, memory.known, id));
}

/** What this process remembers of the wait that a notification is for, or of a later one. */
export function memoryOfWait(state: WaitState): Memory {
	const memory = memoryOf(state.executionId);
	// Of its own waits, this process knows the newest. Of others, it learns from what they stored.
	if (state.startedAt === memory.startedAt) return memory;
	if (memory.isOwn && state.startedAt < memory.startedAt) return memory;
	beginWait(memory, state.startedAt, false);
	memory.known = learn(memory.known, state.known);
	return memory;
}
