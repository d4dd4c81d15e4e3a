import { randomBytes } from 'node:crypto';
import type { CreateCollectionRequest } from './createBody.mts';
import type { Delivery, Guest, Share } from './types.mts';

/** What is sent to a webhook URL. */
export type Message = { headers: Record<string, string>; body: string };

/** A delivery with its exact body and headers, so that it can be replayed exactly. */
export type StoredDelivery = { delivery: Delivery; message: Message };

/** A collection request as the sandbox stores it; lists are oldest first. */
export interface StoredRequest {
	id: string;
	/** The body it was created with; the webhook secret is never shown. */
	body: CreateCollectionRequest;
	createTime: string;
	guests: Guest[];
	share?: Share;
	/** Changes of status that are still to be reported. */
	due: string[];
	deliveries: StoredDelivery[];
}

export type Store = ReturnType<typeof createStore>;

/** Everything that the sandbox remembers, in memory. */
export function createStore() {
	return {
		requests: new Map<string, StoredRequest>(),
		/** With which status the API fails, and how many calls it still does. */
		faults: { status: 500, left: 0 },
		isHard: false,
	};
}

/** A new ID: 24 lowercase hexadecimal characters (the sandbox's own choice of format). */
export const newId = () => randomBytes(12).toString('hex');
