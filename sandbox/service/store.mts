import { randomBytes } from 'node:crypto';
import type { Environment } from './environments.mts';
import type { Message } from './post.mts';
import type { CreateCollectionRequest, Share } from './schemas/api.mts';
import type { Call, Delivery, Guest } from './schemas/sandbox.mts';

/** A person who has opened the guest link and given a name. */
export interface StoredGuest extends Guest {
	/** Leads to their answers, and cannot be guessed. */
	token: string;
	accountId: string;
}

/** A collection request as the sandbox keeps it. */
export interface StoredRequest {
	id: string;
	environment: Environment;
	/** What it was created with; the webhook secret never leaves it. */
	body: CreateCollectionRequest;
	createTime: string;
	guests: StoredGuest[];
	share?: Share;
}

/** A delivery with its very bytes and headers, kept so that it can be replayed exactly. */
export type StoredDelivery = Message & { delivery: Delivery };

export type Store = ReturnType<typeof createStore>;

/** Everything the sandbox remembers, in memory, each list oldest first. */
export function createStore() {
	return {
		requests: new Map<string, StoredRequest>(),
		deliveries: [] as StoredDelivery[],
		calls: [] as Call[],
	};
}

/** The collection requests of both environments, newest first. */
export function newestRequests({ requests }: Store): StoredRequest[] {
	return [...requests.values()].reverse();
}

/** The collection request of this ID; those of the other environment do not exist in this one. */
export function findRequest({ requests }: Store, environment: Environment, id: string) {
	const found = requests.get(id);
	return found?.environment === environment ? found : undefined;
}

/** A new ID: 24 lowercase hexadecimal characters (the sandbox's own choice of form). */
export const newId = () => randomBytes(12).toString('hex');
