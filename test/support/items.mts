import assert from 'node:assert/strict';
import type { Json } from '../../sandbox/n8n/types.mts';

/** Fails unless the item begins with the request's ID and its guest link, in this order. */
export function assertBegins(item: Json, requestId: string, guestLink: string): void {
	assert.deepEqual(Object.entries(item).slice(0, 2), [
		['requestId', requestId],
		['guestLink', guestLink],
	]);
}
