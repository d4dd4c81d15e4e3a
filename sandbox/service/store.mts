import { randomBytes } from 'node:crypto';
import type { CreateCollectionRequest } from './createBody.mts';
import type { Faults } from './faults.mts';
import type { Message } from './post.mts';
import type { Call, Delivery, Guest, Share } from './types.mts';

/** A person who has joined. */
export interface StoredGuest extends Guest {
	accountId: string;
}

/** A collection request as the sandbox stores it. */
export interface StoredRequest {
	id: string;
	/** The body it was created with; the webhook secret is never shown. */
	body: CreateCollectionRequest;
	createTime: string;
	guests: StoredGuest[];
	share?: Share;
}

/** A delivery with its exact bytes and headers, so that it can be replayed exactly. */
export type StoredDelivery = Message & { delivery: Delivery };

export type Store = ReturnType<typeof createStore>;

/** Everything that the sandbox remembers, in memory; each list is oldest first. */
export function createStore() {
	return {
		requests: new Map<string, StoredRequest>(),
		deliveries: [] as StoredDelivery[],
		calls: [] as Call[],
		faults: {} as Faults,
		/** Whether hard mode is on. */
		isHard: false,
	};
}

/** The collection requests, newest first. */
export function newestRequests({ requests }: Store): StoredRequest[] {
	return [...requests.values()].reverse();
}

/** A new ID: 24 lowercase hexadecimal characters (the sandbox's own choice of format). */
export const newId = () => randomBytes(12).toString('hex');
