import { createHmac, randomUUID } from 'node:crypto';
import { shareStatusOf } from './collectionRequests.mts';
import { post, type Message } from './post.mts';
import type { Notification } from './schemas/api.mts';
import type { Delivery } from './schemas/sandbox.mts';
import type { Store, StoredDelivery, StoredRequest } from './store.mts';

const EVENT = 'collection_request.updated';
const underWay = { durationMs: null, statusCode: null, answer: '', error: null };

export type Notifier = ReturnType<typeof createNotifier>;

/**
 * Sends notifications, one POST each, in order per collection request, without retries: the API
 * describes none (Delivery). The promises never reject; undefined means nothing had to be sent.
 */
export function createNotifier({ requests, deliveries }: Store, timeoutMs: number) {
	const closing = new AbortController();
	const queues = new WeakMap<StoredRequest, Promise<Delivery | undefined>>();

	async function send(
		kind: Delivery['kind'],
		request: StoredRequest,
		shareStatus: string,
		exact?: Message,
	): Promise<Delivery | undefined> {
		const { webhookUrl: url, webhookSecret = '' } = request.body;
		if (!url) return undefined;
		const previous = queues.get(request) ?? Promise.resolve();
		const current = previous.then(async () => {
			// Cleared or closed in the meantime: there is nothing left to send.
			if (closing.signal.aborted || requests.get(request.id) !== request) return undefined;
			const secret = kind === 'forged' ? randomUUID() : webhookSecret;
			const message = exact ?? compose(request, shareStatus, secret);
			const delivery: Delivery = {
				// An exact replay has an earlier delivery ID, so the record needs a separate ID.
				id: randomUUID(),
				deliveryId: message.headers['X-SVC-Delivery-Id'] ?? '',
				kind,
				requestId: request.id,
				event: EVENT,
				shareStatus,
				url,
				sentAt: new Date().toISOString(),
				...underWay,
			};
			deliveries.push({ delivery, ...message });
			return Object.assign(delivery, await post(url, message, timeoutMs, closing.signal));
		});
		queues.set(request, current);
		return await current;
	}

	return {
		notify: (request: StoredRequest) => send('notification', request, shareStatusOf(request)),
		forge: (request: StoredRequest) => send('forged', request, shareStatusOf(request)),
		/** Sends a delivery again: exactly as it was, or with a new signature. */
		async redeliver({ delivery, headers, body }: StoredDelivery, isExact: boolean) {
			const request = requests.get(delivery.requestId);
			const exact = isExact ? { headers, body } : undefined;
			return request && (await send('redelivery', request, delivery.shareStatus, exact));
		},
		close: () => closing.abort(),
	};
}

/** Signs a notification (Signature): lowercase hex over `<timestamp>.<body>`. */
function sign(secret: string, timestamp: string, body: Buffer): string {
	return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

/** A newly generated signed message (Delivery, Payload). */
function compose({ id, body }: StoredRequest, shareStatus: string, secret: string): Message {
	const timestamp = String(Date.now());
	const { webhookIdentifier } = body;
	const facts = { event: EVENT, requestId: id, shareStatus, webhookIdentifier, timestamp };
	const payload = Buffer.from(JSON.stringify(facts satisfies Notification));
	const headers = {
		'Content-Type': 'application/json',
		'User-Agent': 'svc-webhooks/1.0',
		'X-SVC-Signature': sign(secret, timestamp, payload),
		'X-SVC-Timestamp': timestamp,
		'X-SVC-Event': EVENT,
		'X-SVC-Delivery-Id': randomUUID(),
	};
	return { headers, body: payload };
}
