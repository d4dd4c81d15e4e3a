import type { IExecuteFunctions } from 'n8n-workflow';

import { callError } from '../n8n/errors';
import type { FailureKind } from '../service/callFailure';
import { hasStatus } from '../service/collectionRequest';
import { failureIn, isAnyRead } from '../shared/readItems';
import type { MappedIds } from './pairing';
import type { Readings, Wait } from './waitState';

const INCURABLE: FailureKind[] = ['forbidden', 'invalid', 'fatal'];

/** What is missing does not hold up the wait, if anything could be read. */
export function progressOf({ requestIds, needed, reached }: Wait, reading: Readings) {
	const failureOf = (id: string) => failureIn(reading.get(id));
	const isMissing = (id: string) => failureOf(id)?.kind === 'missing';
	const isNothingRead = requestIds.some(isMissing) && !isAnyRead([...reading.values()]);
	const missing = new Set(isNothingRead ? [] : requestIds.filter(isMissing));
	const pending = requestIds.filter((id) => !reached.has(id) && !missing.has(id));
	const unreached = pending.filter((id) => reading.get(id)?.ok);
	const possible = reached.size + pending.length;
	const enough = Math.min(needed, possible);
	return {
		isDone: reached.size >= enough,
		/** How many must have had an awaited status. */
		enough,
		/**
		 * The wait may be over if at most this many pending ones are read without an awaited status.
		 * Negative: it goes on.
		 */
		unreachedAllowed: possible - unreached.length - enough,
		/** Whether nothing could be read: then a 404 proves nothing. */
		isNothingRead,
		missing,
		/** Those that may still get an awaited status. */
		pending,
		error: pending.map(failureOf).find((failure) => failure !== undefined),
	};
}

/** A status counts once it was reported, whatever comes later. */
export function noteStatus({ statuses, reached }: Wait, id: string, status: unknown): void {
	if (hasStatus(statuses, status)) reached.set(id, String(status));
}

/**
 * Throws a failure that no wait can cure, or the first one if all are missing, with its input item.
 */
export function throwIncurable(
	context: IExecuteFunctions,
	{ requestIds }: Pick<Wait, 'requestIds'>,
	reading: Readings,
	mappedIds: MappedIds,
): void {
	const failures = requestIds.map((id) => failureIn(reading.get(id)));
	const areAllMissing = failures.every((failure) => failure?.kind === 'missing');
	const kinds: FailureKind[] = areAllMissing ? ['missing'] : INCURABLE;
	const index = failures.findIndex((failure) => failure && kinds.includes(failure.kind));
	const failure = failures[index];
	if (failure === undefined) return;
	const itemIndex = mappedIds.indexOf(requestIds[index]);
	// No item is to blame for a key that is refused.
	if (failure.kind === 'fatal' || itemIndex < 0) throw callError(context.getNode(), failure);
	const description = `${failure.description} In the input, it is item ${itemIndex + 1}.`;
	throw callError(context.getNode(), { ...failure, description, itemIndex });
}
