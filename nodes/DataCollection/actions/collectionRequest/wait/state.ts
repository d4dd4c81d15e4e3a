import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { hasStatus } from '../../../webhook/notification';

/** What one input item waits for, as evaluated when the wait began. */
export interface Awaited {
	requestId: string;
	statuses: string[];
}

/** When a wait is over. */
export interface Goal {
	/** One entry for each input item, in input order. */
	awaited: Awaited[];
	/** How many collection requests must have had an awaited status. */
	needed: number;
}

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

/** The statuses that verified notifications and reads have shown, oldest first, by request ID. */
export type Known = Map<string, Set<string>>;

const KEY = 'dataCollection';

/** Stores the state with the execution. n8n writes it to its database together with the wait. */
export function storeState(context: IExecuteFunctions, state: WaitState): void {
	context.getContext('node')[KEY] = state;
	memoryOf(state.executionId).startedAt = state.startedAt;
}

/** The collection requests that timed out when this node waited before, in a loop. */
export function timedOutBefore(context: IExecuteFunctions, now: number): string[] {
	const state = context.getContext('node')[KEY] as WaitState | undefined;
	return state === undefined || now < (state.endsAt ?? Infinity) ? [] : idsOf(state.awaited);
}

/** Reads what the node stored. In a webhook call, only an expression can do that. */
export function readState(context: IWebhookFunctions): WaitState | undefined {
	// Whatever the node's name is, it must not end the string or the expression.
	const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
	const name = context.getNode().name.replace(/[^A-Za-z0-9 ]/g, escaped);
	const stored: unknown = context.evaluateExpression(`{{ $("${name}").context.${KEY} }}`);
	return (stored ?? undefined) as WaitState | undefined;
}

/** The IDs of the awaited collection requests, each once even if several items name it. */
export const idsOf = (awaited: Awaited[]) => [...new Set(awaited.map((one) => one.requestId))];

/**
 * Whether a collection request has had the status that each of its items awaits. A status that was
 * reached stays reached, whatever comes after it.
 */
export function isReached(awaited: Awaited[], known: Known, id: string): boolean {
	const statuses = [...(known.get(id) ?? [])];
	return awaited
		.filter(({ requestId }) => requestId === id)
		.every((one) => statuses.some((status) => hasStatus(one.statuses, status)));
}

/** Adds a status that was reported or read. */
export function addStatus(known: Known, id: string, status: unknown): void {
	if (typeof status !== 'string' || status === '') return;
	known.set(id, (known.get(id) ?? new Set()).add(status));
}

/** What this process knows of an execution. */
export interface Memory {
	known: Known;
	/** The collection requests for which a wait has ended. */
	ended: Set<string>;
	/**
	 * When its newest wait began, if that was in this process: then no other one receives its
	 * notifications.
	 */
	startedAt?: number;
}

/** At most this many executions are remembered. The one that was heard of first is dropped first. */
const MAXIMUM_EXECUTIONS = 1_000;

const memories = new Map<string, Memory>();

/**
 * What this process knows of an execution. n8n stores nothing of a notification that does not end a
 * wait, so other processes do not know it, and neither does this one after a restart.
 */
export function memoryOf(executionId: string): Memory {
	const memory: Memory = memories.get(executionId) ?? { known: new Map(), ended: new Set() };
	const [oldest] = memories.keys();
	const isNew = !memories.has(executionId);
	if (isNew && oldest !== undefined && memories.size >= MAXIMUM_EXECUTIONS) memories.delete(oldest);
	memories.set(executionId, memory);
	return memory;
}

/**
 * What is known when a wait begins. What has already ended a wait does not end another one: a
 * collection request may have another status by now.
 */
export function knownBefore(executionId: string): Known {
	const memory = memoryOf(executionId);
	for (const id of memory.ended) memory.known.delete(id);
	memory.ended.clear();
	return memory.known;
}

/** Notes that a wait for these collection requests has ended. */
export function noteEnd(executionId: string, awaited: Awaited[]): void {
	const { known, ended } = memoryOf(executionId);
	for (const id of idsOf(awaited)) if (isReached(awaited, known, id)) ended.add(id);
}
