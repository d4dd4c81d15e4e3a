import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../shared/failure.mts';
import { payload, signed, withHeader, type Delivery } from './delivery.mts';
import { send } from './send.mts';

/** The service gives up on a delivery after 5 seconds (docs/service-api.md, Delivery). */
export const deliveryTimeout = 5_000;

const firstPause = 500;
const longestPause = 15_000;

/** One POST of a notification. */
export interface Attempt {
	deliveryId: string;
	/** Milliseconds since 1970. */
	startedAt: number;
	/** Milliseconds until it ended. */
	took: number;
	/** Undefined if no response came, or none in time. */
	status: number | undefined;
	/** The beginning of the response, or why there was none. */
	answer: string;
}

/** A notification that is sent as often as necessary. */
export type Notification = Delivery & { identifier: string };

/** A notification and the POSTs it took. */
export interface Sent {
	identifier: string;
	attempts: Attempt[];
	/** Whether the response to the last attempt was 2xx. */
	isDelivered: boolean;
}

/** Whether the response was 2xx. */
export const isSuccess = ({ status = 0 }: Attempt) => status >= 200 && status < 300;

/**
 * Whether n8n responded with 200 before it could handle anything. While it migrates its database on
 * startup, every request gets 200 and "n8n is starting up. Please wait"; no node ever sees it.
 */
export const isSwallowed = (answer: string) => answer.includes('n8n is starting up');

/** A new notification, signed as the service does. */
export function notification(secret: string, requestId: string): Notification {
	const webhookIdentifier = randomUUID();
	const body = payload({ requestId, webhookIdentifier });
	return { ...signed({ secret, body }), identifier: webhookIdentifier };
}

/** Posts it once, with a new delivery ID; gives up when the service would. */
export async function attempt(
	url: string,
	delivery: Delivery,
	within = deliveryTimeout,
): Promise<Attempt> {
	const deliveryId = randomUUID();
	const startedAt = Date.now();
	const ended = (status: number | undefined, answer: string): Attempt => {
		return { deliveryId, startedAt, took: Date.now() - startedAt, status, answer };
	};
	try {
		const sent = withHeader(delivery, 'X-SVC-Delivery-Id', deliveryId);
		const { status, text } = await send(url, sent, within);
		return ended(status, text.slice(0, 200));
	} catch (error) {
		return ended(undefined, messageOf(error));
	}
}

/** Where to send a notification, and for how long. */
interface Delivering {
	url: string;
	/** Milliseconds within which a 2xx response must come. */
	within: number;
	/** Called after every attempt. */
	onAttempt: (attempt: Attempt) => void;
}

/**
 * Posts a notification until the response is 2xx, doubling the pause each time. Whether the service
 * retries is unknown, so this uses the kind of retry that is hardest on a receiver: the same signed
 * bytes again.
 */
export async function deliver(
	delivery: Notification,
	{ url, within, onAttempt }: Delivering,
): Promise<Sent> {
	const attempts: Attempt[] = [];
	const deadline = Date.now() + within;
	for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
		const last = await attempt(url, delivery);
		attempts.push(last);
		onAttempt(last);
		const isDelivered = isSuccess(last);
		if (isDelivered || Date.now() + pause > deadline) {
			return { identifier: delivery.identifier, attempts, isDelivered };
		}
		await sleep(pause);
	}
}
