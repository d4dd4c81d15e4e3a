import { randomUUID } from 'node:crypto';
import { shareStatusOf } from './collectionRequests.mts';
import { post } from './post.mts';
import { sign } from './signing.mts';
import type { Store } from './store.mts';
import type { Delivery, DeliveryKind, Notification, StoredDelivery } from './types.mts';
import type { StoredRequest, Webhook } from './types.mts';

const EVENT = 'collection_request.updated';
const USER_AGENT = 'svc-webhooks/1.0';

type Facts = Omit<Notification, 'timestamp'>;

/**
 * Sends notifications, one POST each, those of one request in order, without retries: the API shows
 * none (Delivery). The promises never reject; they are undefined when there was nothing to send.
 */
export interface Notifier {
	notify(request: StoredRequest): Promise<Delivery | undefined>;
	forge(request: StoredRequest): Promise<Delivery | undefined>;
	redeliver(stored: StoredDelivery): Promise<Delivery | undefined>;
	replay(stored: StoredDelivery): Promise<Delivery | undefined>;
	close(): void;
}

export function createNotifier(store: Store, timeoutMs: number): Notifier {
	const closing = new AbortController();
	const queues = new WeakMap<StoredRequest, Promise<unknown>>();

	async function inOrder<T>(
		request: StoredRequest,
		work: () => Promise<T>,
	): Promise<T | undefined> {
		const previous = queues.get(request) ?? Promise.resolve();
		const current = previous.then(async () => {
			// Cleared or closed in the meantime: nothing is left to send.
			const isGone = closing.signal.aborted || store.requests.get(request.id) !== request;
			return isGone ? undefined : await work();
		});
		queues.set(request, current);
		return await current;
	}

	async function send(kind: DeliveryKind, url: string, message: Message): Promise<Delivery> {
		const { facts, headers, body } = message;
		const delivery = describe(kind, url, facts, headers['X-SVC-Delivery-Id']);
		store.deliveries.push({ delivery, headers, body });
		const outcome = await post({ url, headers, body }, timeoutMs, closing.signal);
		return Object.assign(delivery, outcome);
	}

	async function deliver(kind: DeliveryKind, request: StoredRequest, facts: Facts) {
		const { webhook } = request;
		if (!webhook) return undefined;
		const secret = kind === 'forged' ? randomUUID() : webhook.secret;
		return await inOrder(request, () => send(kind, webhook.url, compose(facts, secret)));
	}

	return {
		notify: (request) => deliver('notification', request, factsOf(request)),
		forge: (request) => deliver('forged', request, factsOf(request)),
		async redeliver({ delivery }) {
			const request = store.requests.get(delivery.requestId);
			if (!request) return undefined;
			const { event, requestId, shareStatus } = delivery;
			const facts = { event, requestId, shareStatus, ...identifierOf(request.webhook) };
			return await deliver('redelivery', request, facts);
		},
		async replay({ delivery, headers, body }) {
			const request = store.requests.get(delivery.requestId);
			if (!request) return undefined;
			return await inOrder(request, () =>
				send('redelivery', delivery.url, { facts: delivery, headers, body }),
			);
		},
		close: () => closing.abort(),
	};
}

interface Message {
	facts: Facts;
	headers: Record<string, string>;
	body: Buffer;
}

/** A signed message (Delivery, Payload), generated now. */
function compose(facts: Facts, secret: string): Message {
	const timestamp = String(Date.now());
	const payload: Notification = { ...facts, timestamp };
	const body = Buffer.from(JSON.stringify(payload));
	const headers = {
		'Content-Type': 'application/json',
		'User-Agent': USER_AGENT,
		'X-SVC-Signature': sign(secret, timestamp, body),
		'X-SVC-Timestamp': timestamp,
		'X-SVC-Event': facts.event,
		'X-SVC-Delivery-Id': randomUUID(),
	};
	return { facts, headers, body };
}

function factsOf(request: StoredRequest): Facts {
	return {
		event: EVENT,
		requestId: request.id,
		shareStatus: shareStatusOf(request),
		...identifierOf(request.webhook),
	};
}

function identifierOf(webhook: Webhook | undefined): Pick<Facts, 'webhookIdentifier'> {
	return webhook?.identifier === undefined ? {} : { webhookIdentifier: webhook.identifier };
}

// An exact replay carries an earlier delivery ID: the record gets an ID of its own.
function describe(kind: DeliveryKind, url: string, facts: Facts, deliveryId = ''): Delivery {
	return {
		id: randomUUID(),
		deliveryId,
		kind,
		requestId: facts.requestId,
		event: facts.event,
		shareStatus: facts.shareStatus,
		url,
		sentAt: new Date().toISOString(),
		durationMs: null,
		statusCode: null,
		answer: '',
		error: null,
	};
}
