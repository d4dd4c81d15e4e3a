import type { Faults } from './faults.mts';
import { clearFaults, createFaults } from './faults.mts';
import type { Environment } from './options.mts';
import type { Call, Share, StoredDelivery, StoredRequest } from './types.mts';

const CALLS_KEPT = 20_000;

/** Everything the sandbox remembers, in memory, each list oldest first. */
export interface Store {
	requests: Map<string, StoredRequest>;
	deliveries: StoredDelivery[];
	calls: Call[];
	/** What goes wrong with responses of the API, on demand. */
	faults: Faults;
}

export function createStore(): Store {
	return { requests: new Map(), deliveries: [], calls: [], faults: createFaults() };
}

/** Forgets everything, and lets nothing go wrong any more. */
export function clearStore(store: Store): void {
	store.requests.clear();
	store.deliveries.length = 0;
	store.calls.length = 0;
	clearFaults(store.faults);
}

/** Appends a call, forgetting the oldest beyond the last 20,000. */
export function rememberCall(store: Store, call: Call): void {
	store.calls.push(call);
	if (store.calls.length > CALLS_KEPT) store.calls.shift();
}

/** The collection requests of both environments, newest first. */
export function newestRequests(store: Store): StoredRequest[] {
	return [...store.requests.values()].reverse();
}

/** The deliveries of one collection request, newest first. */
export function deliveriesOf(store: Store, requestId: string): StoredDelivery[] {
	return store.deliveries.filter(({ delivery }) => delivery.requestId === requestId).reverse();
}

/** The collection request of this ID; those of the other environment do not exist in this one. */
export function findRequest({ requests }: Store, environment: Environment, id: string) {
	const found = requests.get(id);
	return found?.environment === environment ? found : undefined;
}

/** The share of this ID, of this environment alone. */
export function findShare(store: Store, own: Environment, id: string): Share | undefined {
	const requests = [...store.requests.values()].filter(({ environment }) => environment === own);
	return requests.find(({ share }) => share?._id === id)?.share;
}
