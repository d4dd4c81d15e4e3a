import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../sandbox/shared/failure.mts';
import { payload, signed, withHeader, type Delivery } from '../support/delivery.mts';
import { send } from '../support/send.mts';

/** The service gives up a delivery after 5 seconds (docs/service-api.md, Delivery). */
export const deliveryTimeout = 5_000;

const firstPause = 500;
const longestPause = 15_000;

/** One POST of a notification. */
export interface Attempt {
	deliveryId: string;
	/** Milliseconds since 1970. */
	startedAt: number;
	took: number;
	/** Undefined when no answer came, in time or at all. */
	status: number | undefined;
	answer: string;
}

/** A notification and the POSTs it took. */
export interface Sent {
	identifier: string;
	attempts: Attempt[];
	/** Whether the last attempt was answered with 2xx. */
	isDelivered: boolean;
}

export const isSuccess = ({ status = 0 }: Attempt) => status >= 200 && status < 300;

/**
 * Whether n8n answered 200 before it could take anything: while it migrates its database at a start,
 * it answers every request with 200 "n8n is starting up. Please wait", which no node ever sees.
 */
export const isSwallowed = (answer: string) => answer.includes('n8n is starting up');

/** A notification of its own, as the service signs it. */
export function notification(secret: string, requestId: string): Delivery & { identifier: string } {
	const webhookIdentifier = randomUUID();
	const body = payload({ requestId, webhookIdentifier });
	return { ...signed({ secret, body }), identifier: webhookIdentifier };
}

/** Posts it once, under a delivery ID of its own; gives up when the service would. */
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

export interface SendingOptions {
	url: string;
	/** Milliseconds in which it must be answered with 2xx. */
	within: number;
	/** Told of every attempt that has ended. */
	onAttempt: (attempt: Attempt) => void;
	/** True when there is no use in trying again. */
	isHopeless?: (attempt: Attempt) => boolean;
}

/**
 * Posts a notification until it is answered with 2xx, with a pause that doubles. Whether the service
 * repeats one is unknown, so this takes the kind that is hardest on a receiver: the same signed bytes
 * again.
 */
export async function deliver(
	delivery: Delivery & { identifier: string },
	{ url, within, onAttempt, isHopeless = () => false }: SendingOptions,
): Promise<Sent> {
	const attempts: Attempt[] = [];
	const deadline = Date.now() + within;
	for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
		const last = await attempt(url, delivery);
		attempts.push(last);
		onAttempt(last);
		const isDelivered = isSuccess(last);
		const isOver = isDelivered || isHopeless(last) || Date.now() + pause > deadline;
		if (isOver) return { identifier: delivery.identifier, attempts, isDelivered };
		await sleep(pause);
	}
}
