import { createHmac, randomUUID } from 'node:crypto';
import { shareStatusOf } from './collectionRequests.mts';
import { hardSteps, hardTimestamp, stepOf, type Step } from './hardMode.mts';
import type { Message, Store, StoredDelivery, StoredRequest } from './store.mts';
import type { Delivery } from './types.mts';

export type Notifier = ReturnType<typeof createNotifier>;

/**
 * Sends notifications, one POST each, one after the other per collection request, without retries:
 * the API describes none (Delivery). Sends nothing and gives undefined if there is no webhook URL.
 */
export function createNotifier(store: Store) {
	const turns = new WeakMap<StoredRequest, Promise<unknown>>();

	/** Runs this when everything before it has been sent. */
	async function inTurn<T>(request: StoredRequest, work: () => Promise<T>): Promise<T> {
		const current = (turns.get(request) ?? Promise.resolve()).then(work);
		turns.set(request, current);
		return await current;
	}

	/** Sends this message, or else a newly signed one. */
	async function send(request: StoredRequest, step: Step, repeated?: Message) {
		const { deliveries, body } = request;
		if (!body.webhookUrl) return undefined;
		const timestamp = store.isHard ? hardTimestamp(deliveries.length) : String(Date.now());
		const message = repeated ?? compose(request, step, timestamp);
		const { kind, event, shareStatus = '' } = step;
		const delivery: Delivery = {
			// An exact replay has an earlier delivery ID, so the record needs a separate ID.
			id: randomUUID(),
			deliveryId: message.headers['X-SVC-Delivery-Id'] ?? '',
			kind,
			event,
			shareStatus,
			statusCode: null,
			answer: '',
			error: null,
		};
		deliveries.push({ delivery, message });
		return Object.assign(delivery, await post(body.webhookUrl, message));
	}

	/** The deliveries for what is to be reported. */
	function stepsFor({ due, deliveries }: StoredRequest): Step[] {
		const changes = due.splice(0);
		if (!store.isHard) return changes.map(stepOf);
		const earlier = deliveries.filter(({ delivery }) => delivery.kind === 'notification');
		const statuses = earlier.map(({ delivery }) => delivery.shareStatus);
		return hardSteps(changes, statuses);
	}

	return {
		/** Reports the current status. */
		async notify(request: StoredRequest) {
			request.due.push(shareStatusOf(request));
			await inTurn(request, async () => {
				for (const step of stepsFor(request)) {
					const before = request.deliveries.at(-1)?.message;
					await send(request, step, step.isExact ? before : undefined);
				}
			});
		},
		/** Sends the current status, signed with a wrong secret. */
		forge: async (request: StoredRequest) =>
			await inTurn(request, () =>
				send(request, { ...stepOf(shareStatusOf(request)), kind: 'forged' }),
			),
		/** Sends a delivery again: exactly as it was, or with a new signature. */
		redeliver: async (request: StoredRequest, again: StoredDelivery, isExact: boolean) =>
			await inTurn(request, () => {
				const { event, shareStatus } = again.delivery;
				const step = { kind: 'redelivery' as const, event, shareStatus: shareStatus || undefined };
				return send(request, step, isExact ? again.message : undefined);
			}),
	};
}

/** A signed message (Delivery, Payload, Signature); a forged one is signed with a wrong secret. */
function compose({ id, body }: StoredRequest, step: Step, timestamp: string): Message {
	const { kind, event, shareStatus } = step;
	const { webhookIdentifier, webhookSecret = '' } = body;
	const facts = { event, requestId: id, shareStatus, webhookIdentifier, timestamp };
	const payload = JSON.stringify(facts);
	const secret = kind === 'forged' ? randomUUID() : webhookSecret;
	const headers = {
		'Content-Type': 'application/json',
		'User-Agent': 'svc-webhooks/1.0',
		'X-SVC-Signature': createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex'),
		'X-SVC-Timestamp': timestamp,
		'X-SVC-Event': event,
		'X-SVC-Delivery-Id': randomUUID(),
	};
	return { headers, body: payload };
}

/** Sends one POST (Delivery), with a timeout and no redirects; returns its result, never throws. */
async function post(url: string, { headers, body }: Message) {
	let statusCode: number | null = null;
	try {
		const response = await fetch(url, {
			method: 'POST',
			// n8n closes idle connections, perhaps during the next delivery.
			headers: { ...headers, connection: 'close' },
			body,
			redirect: 'manual',
			signal: AbortSignal.timeout(5000),
		});
		statusCode = response.status;
		const answer = (await response.text()).slice(0, 200);
		const isRedirect = statusCode >= 300 && statusCode < 400;
		const error = isRedirect ? 'The receiver responded with a redirect, not followed.' : null;
		return { statusCode, answer, error };
	} catch (error) {
		const { cause = error } = error as Error;
		return { statusCode, answer: '', error: (cause as Error).message };
	}
}
