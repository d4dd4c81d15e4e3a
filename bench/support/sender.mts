import { randomUUID } from 'node:crypto';
import { messageOf } from '../../sandbox/shared/failure.mts';
import { signed, type Delivery } from './delivery.mts';

/** The service gives up on a delivery after 5 seconds (docs/service-api.md, Delivery). */
export const deliveryTimeout = 5_000;

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

/** A signed notification that can be found again by its webhook identifier. */
export type Notification = Delivery & { identifier: string };

/** Whether the response was 2xx. */
export const isSuccess = ({ status = 0 }: Attempt) => status >= 200 && status < 300;

/** A new notification, signed as the service does. */
export function notification(secret: string, requestId: string): Notification {
	const webhookIdentifier = randomUUID();
	return { ...signed(secret, { requestId, webhookIdentifier }), identifier: webhookIdentifier };
}

/** Posts it once, with a new delivery ID; gives up when the service would. */
export async function attempt(
	url: string,
	{ headers, body }: Delivery,
	within = deliveryTimeout,
): Promise<Attempt> {
	const deliveryId = randomUUID();
	const startedAt = Date.now();
	const ended = (status: number | undefined, answer: string): Attempt => {
		return { deliveryId, startedAt, took: Date.now() - startedAt, status, answer };
	};
	try {
		const response = await fetch(url, {
			method: 'POST',
			headers: { ...Object.fromEntries(headers), 'X-SVC-Delivery-Id': deliveryId },
			body: new Uint8Array(body),
			signal: AbortSignal.timeout(within),
		});
		return ended(response.status, (await response.text()).slice(0, 200));
	} catch (error) {
		return ended(undefined, messageOf(error));
	}
}
