import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { clock } from '../basics/clock';
import { storedWith } from '../n8n/suspension';
import type { Read } from '../service/callFailure';
import type { CollectionRequest } from '../service/collectionRequest';

export interface Goal {
	/** Each once, in the order of the output. */
	requestIds: string[];
	statuses: string[];
	/** How many collection requests must have had an awaited status. */
	needed: number;
}

export interface Wait extends Goal {
	executionId: string;
	/** The number of the wait in its execution: the last wait has the highest. */
	number: number;
	/** When the time limit ends the wait, in milliseconds since 1970. */
	endsAt: number;
	/** Seconds that the signed timestamp of a notification may differ from now. */
	maximumAge: number;
	/** The collection requests that have had an awaited status, each with that status. */
	reached: Map<string, string>;
}

export const toStored = (wait: Wait): IDataObject => ({ ...wait, reached: [...wait.reached] });

/** By request ID. */
export type Readings = Map<string, Read<CollectionRequest>>;

/** A wait with what this process has learnt from notifications. Nothing of that is stored. */
export interface RememberedWait extends Wait {
	/** When the wait began or its last notification came, in milliseconds since 1970. */
	lastNotificationAt: number;
	/** What a call has read before its time was over. The next call goes on from there. */
	read?: Readings;
	/** The reads that are under way. Notifications that come meanwhile join them. */
	pendingReads?: Promise<Readings>;
	/** Set by the call that ends the wait. Resolves to whether the execution goes on. */
	end?: Promise<boolean>;
}

/** Milliseconds without notifications, and after the end. */
const REMEMBERED = 30 * 24 * 3_600_000;
const REMEMBERED_AFTER_END = 10 * 60_000;

/** The newest wait of each execution. */
const waits = new Map<string, RememberedWait>();

/** The remembered wait, or the stored one, which is remembered unless a later wait has begun. */
export function remember(wait: Wait, now: number): RememberedWait {
	const { executionId, number } = wait;
	const newest = waits.get(executionId);
	if (newest?.number === number) return Object.assign(newest, { lastNotificationAt: now });
	const fresh = { ...wait, lastNotificationAt: now };
	if (newest !== undefined && newest.number > number) return fresh;
	for (const [id, { lastNotificationAt, end }] of waits) {
		if (lastNotificationAt + (end ? REMEMBERED_AFTER_END : REMEMBERED) < now) waits.delete(id);
	}
	waits.set(executionId, fresh);
	return fresh;
}

/** Undefined if n8n has nothing stored for the wait. */
export function waitOf(context: IWebhookFunctions): RememberedWait | undefined {
	const stored = storedWith(context);
	if (!stored) return undefined;
	const wait = stored as Omit<Wait, 'reached'> & { reached: Array<[string, string]> };
	return remember({ ...wait, reached: new Map(wait.reached) }, clock.now());
}

/** Whether no later wait of the execution has begun, as far as this process knows. */
export const isNewest = (wait: RememberedWait): boolean => waits.get(wait.executionId) === wait;

/** False if another call has ended the wait. If `outcome` is false, the next call may end it. */
export async function claimEnd(
	wait: RememberedWait,
	outcome: () => Promise<boolean>,
): Promise<boolean> {
	while (wait.end) if (await wait.end) return false;
	wait.end = outcome().then((isContinued) => {
		if (!isContinued) wait.end = undefined;
		return isContinued;
	});
	return true;
}
