import { createHmac, randomUUID } from 'node:crypto';
import { shareStatusOf } from './collectionRequests.mts';
import { hardSteps, hardTimestamp, stepOf, type Step } from './hardMode.mts';
import { post, type Message } from './post.mts';
import type { Delivery } from './types.mts';
import type { Store, StoredDelivery, StoredRequest } from './store.mts';

const underWay = { durationMs: null, statusCode: null, answer: '', error: null };

export type Notifier = ReturnType<typeof createNotifier>;

/**
 * Sends notifications, one POST each, one after the other per collection request, without retries:
 * the API describes none (Delivery). The promises never reject; undefined means nothing had to be
 * sent.
 */
export function createNotifier(store: Store) {
	const { requests, deliveries } = store;
	const closing = new AbortController();
	const queues = new WeakMap<StoredRequest, Promise<unknown>>();
	const changes = new WeakMap<StoredRequest, string[]>();

	/** Runs this when everything before it has been sent. */
	async function inTurn<T>(request: StoredRequest, work: () => Promise<T>): Promise<T> {
		const current = (queues.get(request) ?? Promise.resolve()).then(work);
		queues.set(request, current);
		return await current;
	}

	async function send(
		request: StoredRequest,
		{ kind, event, shareStatus = '' }: Step,
		message: Message,
	): Promise<Delivery | undefined> {
		const { webhookUrl: url } = request.body;
		// Cleared or closed in the meantime: there is nothing left to send.
		if (!url || closing.signal.aborted || requests.get(request.id) !== request) return undefined;
		const delivery: Delivery = {
			// An exact replay has an earlier delivery ID, so the record needs a separate ID.
			id: randomUUID(),
			deliveryId: message.headers['X-SVC-Delivery-Id'] ?? '',
			kind,
			requestId: request.id,
			event,
			shareStatus,
			url,
			sentAt: new Date().toISOString(),
			...underWay,
		};
		deliveries.push({ delivery, ...message });
		return Object.assign(delivery, await post(url, message, closing.signal));
	}

	const sentFor = ({ id }: StoredRequest) =>
		deliveries.flatMap(({ delivery }) => (delivery.requestId === id ? [delivery] : []));
	/** The deliveries for these changes of status. */
	const stepsFor = (request: StoredRequest, due: string[]) => {
		if (!store.isHard) return due.map(stepOf);
		const earlier = sentFor(request).filter(({ kind }) => kind === 'notification');
		return hardSteps(
			due,
			earlier.map(({ shareStatus }) => shareStatus),
		);
	};
	/** A newly generated signed message. */
	const generate = (request: StoredRequest, step: Step) => {
		const now = store.isHard ? hardTimestamp(sentFor(request).length) : String(Date.now());
		return compose(request, step, now);
	};

	return {
		/** Reports the current status. */
		async notify(request: StoredRequest) {
			const due = changes.get(request) ?? [];
			changes.set(request, due);
			due.push(shareStatusOf(request));
			await inTurn(request, async () => {
				let message: Message | undefined;
				for (const step of stepsFor(request, due.splice(0))) {
					message = step.isExact && message ? message : generate(request, step);
					await send(request, step, message);
				}
			});
		},
		/** Sends the current status, signed with a wrong secret. */
		forge: async (request: StoredRequest) =>
			await inTurn(request, async () => {
				const step = { ...stepOf(shareStatusOf(request)), kind: 'forged' as const };
				return await send(request, step, generate(request, step));
			}),
		/** Sends a delivery again: exactly as it was, or with a new signature. */
		async redeliver({ delivery, headers, body }: StoredDelivery, isExact: boolean) {
			const request = requests.get(delivery.requestId);
			if (!request) return undefined;
			const { event, shareStatus } = delivery;
			const step = { kind: 'redelivery' as const, event, shareStatus: shareStatus || undefined };
			return await inTurn(request, async () => {
				const message = isExact ? { headers, body } : generate(request, step);
				return await send(request, step, message);
			});
		},
		close: () => closing.abort(),
	};
}

/** Signs a notification (Signature): lowercase hex over `<timestamp>.<body>`. */
function sign(secret: string, timestamp: string, body: Buffer): string {
	return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

/** A signed message (Delivery, Payload); a forged one is signed with a wrong secret. */
function compose(
	{ id, body }: StoredRequest,
	{ kind, event, shareStatus }: Step,
	timestamp: string,
): Message {
	const { webhookIdentifier, webhookSecret = '' } = body;
	const facts = { event, requestId: id, shareStatus, webhookIdentifier, timestamp };
	const payload = Buffer.from(JSON.stringify(facts));
	const secret = kind === 'forged' ? randomUUID() : webhookSecret;
	const headers = {
		'Content-Type': 'application/json',
		'User-Agent': 'svc-webhooks/1.0',
		'X-SVC-Signature': sign(secret, timestamp, payload),
		'X-SVC-Timestamp': timestamp,
		'X-SVC-Event': event,
		'X-SVC-Delivery-Id': randomUUID(),
	};
	return { headers, body: payload };
}
