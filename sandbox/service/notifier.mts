import { createHmac, randomUUID } from 'node:crypto';
import { shareStatusOf } from './collectionRequests.mts';
import { hardSteps, hardTimestamp, stepOf, type Step } from './hardMode.mts';
import type { Message, Store, StoredRequest } from './store.mts';
import type { Delivery } from './types.mts';

export type Notify = ReturnType<typeof createNotifier>;

/**
 * Makes what reports the current status of a collection request, if it has a webhook URL: one POST
 * after the other, without retries, because the API describes none (Delivery).
 */
export function createNotifier(store: Store) {
	const turns = new WeakMap<StoredRequest, Promise<void>>();

	/** Sends this message, or else a newly signed one. */
	async function send(request: StoredRequest, step: Step, repeated?: Message) {
		const { deliveries, body } = request;
		if (!body.webhookUrl) return;
		const timestamp = store.isHard ? hardTimestamp(deliveries.length) : String(Date.now());
		const message = repeated ?? compose(request, step, timestamp);
		const { kind, event, shareStatus = '' } = step;
		const delivery: Delivery = {
			deliveryId: message.headers['X-SVC-Delivery-Id'] ?? '',
			kind,
			event,
			shareStatus,
			statusCode: null,
			answer: '',
			error: null,
		};
		deliveries.push({ delivery, message });
		Object.assign(delivery, await post(body.webhookUrl, message));
	}

	/** The deliveries for what is to be reported. */
	function stepsFor({ due, deliveries }: StoredRequest): Step[] {
		const changes = due.splice(0);
		if (!store.isHard) return changes.map(stepOf);
		const earlier = deliveries.filter(({ delivery }) => delivery.kind === 'notification');
		const statuses = earlier.map(({ delivery }) => delivery.shareStatus);
		return hardSteps(changes, statuses);
	}

	return (request: StoredRequest): void => {
		request.due.push(shareStatusOf(request));
		const report = async () => {
			for (const step of stepsFor(request)) {
				const before = request.deliveries.at(-1)?.message;
				await send(request, step, step.isExact ? before : undefined);
			}
		};
		turns.set(request, (turns.get(request) ?? Promise.resolve()).then(report));
	};
}

/** A signed message (Delivery, Payload, Signature). */
function compose({ id, body }: StoredRequest, step: Step, timestamp: string): Message {
	const { event, shareStatus } = step;
	const { webhookIdentifier, webhookSecret: secret = '' } = body;
	const facts = { event, requestId: id, shareStatus, webhookIdentifier, timestamp };
	const payload = JSON.stringify(facts);
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
