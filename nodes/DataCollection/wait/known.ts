import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { clock } from '../basics/clock';
import { storedWith } from '../n8n/suspension';
import type { CollectionRequest, Read } from '../service/types';

/** What a wait is for. */
export interface Goal {
	/** The awaited collection requests, each once, in the order of the output. */
	requestIds: string[];
	/** The awaited statuses. A collection request must have had one of them. */
	statuses: string[];
	/** How many collection requests must have had an awaited status. */
	needed: number;
}

/** All that is needed to end a wait. */
export interface Wait extends Goal {
	executionId: string;
	/** Which wait of its execution it is: the last one has the highest number. */
	number: number;
	/** When the time limit ends the wait, in milliseconds since 1970. */
	endsAt: number;
	/** Seconds that the signed timestamp of a notification may differ from now. */
	maximumAge: number;
	/** The collection requests that have had an awaited status, and which one. */
	reached: Map<string, string>;
}

/** A wait as JSON. */
export const toStored = (wait: Wait): IDataObject => ({ ...wait, reached: [...wait.reached] });

/** What reading has shown, by request ID. */
export type Reading = Map<string, Read<CollectionRequest>>;

/** A wait, as this process knows it from notifications, of which nothing is stored. */
export interface KnownWait extends Wait {
	/** When it began or the last notification came, in milliseconds since 1970. */
	heardAt: number;
	/** What is done, as a call has read it that had no time for the rest. The next one goes on from there. */
	read?: Reading;
	/** What a call reads at the moment. */
	look?: Promise<Reading>;
	/** If a call has found that the wait is over: whether the execution goes on. */
	end?: Promise<boolean>;
}

/** For how long a wait without notifications is remembered, and one that has ended, in milliseconds. */
const REMEMBERED = 30 * 24 * 3_600_000;
const REMEMBERED_AFTER_END = 10 * 60_000;

/** The newest wait of each execution. */
const waits = new Map<string, KnownWait>();

/** What this process knows of a wait: of a new one, what is stored. */
export function knownWait(wait: Wait, now: number): KnownWait {
	const { executionId, number } = wait;
	const known = waits.get(executionId);
	if (known?.number === number) return Object.assign(known, { heardAt: now });
	const fresh = { ...wait, heardAt: now };
	if (known !== undefined && known.number > number) return fresh;
	for (const [id, { heardAt, end }] of waits) {
		if (heardAt + (end ? REMEMBERED_AFTER_END : REMEMBERED) < now) waits.delete(id);
	}
	waits.set(executionId, fresh);
	return fresh;
}

/** The wait that a call is for; undefined if nothing is stored. */
export function waitOf(context: IWebhookFunctions): KnownWait | undefined {
	const stored = storedWith(context);
	if (!stored) return undefined;
	const wait = stored as Omit<Wait, 'reached'> & { reached: Array<[string, string]> };
	return knownWait({ ...wait, reached: new Map(wait.reached) }, clock.now());
}

/** Whether no later wait of the execution has begun, as far as this process knows. */
export const isNewest = (wait: KnownWait): boolean => waits.get(wait.executionId) === wait;

/**
 * Claims the end of a wait; false if another call has ended it. `outcome` tells whether n8n continues
 * the execution; if it does not, the next call may end the wait.
 */
export async function claimEnd(wait: KnownWait, outcome: () => Promise<boolean>): Promise<boolean> {
	while (wait.end) if (await wait.end) return false;
	wait.end = outcome().then((isContinued) => {
		if (!isContinued) wait.end = undefined;
		return isContinued;
	});
	return true;
}
