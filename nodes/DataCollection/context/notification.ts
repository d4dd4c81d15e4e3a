import type { IWebhookFunctions } from 'n8n-workflow';

import { parseNotification } from '../shared/payload';
import { isSignedBy } from '../shared/signature';
import { isFresh, parseTimestamp } from '../shared/timestamp';
import type { Notification } from '../shared/types';
import type { Connection } from './connection';

/** Far above any notification; larger bodies are refused before they are hashed. */
const MAXIMUM_BODY_BYTES = 1024 * 1024;

/** What arrived: a verified notification, or the reason why not. The caller answers. */
export type Received =
	| {
			outcome: 'verified';
			notification: Notification;
			/** Identifies the notification: unlike the delivery ID, nobody can change it. */
			signature: string;
			/** `X-SVC-Delivery-Id`; unsigned, so it is information and not proof. */
			deliveryId: string | null;
	  }
	| { outcome: 'unverified' | 'malformed' | 'tooLarge'; reason: string };

interface ReceiveOptions {
	connection: Pick<Connection, 'verificationSecrets' | 'sanitizer'>;
	/** Seconds that the signed timestamp may differ from now; 0 switches the check off. */
	maximumAge: number;
	now: Date;
}

/**
 * Verifies a delivery (Events, Signature verification) over its raw bytes and reads the
 * notification from the same bytes. Never throws for anything a sender can do.
 */
export async function receiveNotification(
	this: IWebhookFunctions,
	{ connection, maximumAge, now }: ReceiveOptions,
): Promise<Received> {
	const body = await rawBodyOf.call(this);
	if (body === undefined) return unverified('the raw body is not available');
	if (body.length > MAXIMUM_BODY_BYTES) {
		return { outcome: 'tooLarge', reason: 'the body is larger than 1 MiB' };
	}

	const timestamp = headerOf.call(this, 'x-svc-timestamp');
	if (timestamp === undefined) return unverified('X-SVC-Timestamp is missing');
	const signature = headerOf.call(this, 'x-svc-signature');
	if (signature === undefined) return unverified('X-SVC-Signature is missing');

	const time = parseTimestamp(timestamp);
	if (time === undefined) return unverified('X-SVC-Timestamp is not a plain number');
	if (!isSignedBy(connection.verificationSecrets, { timestamp, body, signature })) {
		return unverified('X-SVC-Signature does not match the body with any webhook secret');
	}
	if (!isFresh(time, now, maximumAge)) {
		return unverified(
			`the signed timestamp ${time.toISOString()} differs from now by more than the maximum age of ${maximumAge} s`,
		);
	}

	const notification = parseNotification(body, connection.sanitizer);
	if (notification === undefined) {
		return { outcome: 'malformed', reason: 'the verified body is not a notification' };
	}
	const deliveryId = headerOf.call(this, 'x-svc-delivery-id') ?? null;
	return { outcome: 'verified', notification, signature, deliveryId };
}

const unverified = (reason: string): Received => ({ outcome: 'unverified', reason });

/** The bytes as they arrived; n8n reads some content types only when asked to. */
async function rawBodyOf(this: IWebhookFunctions): Promise<Buffer | undefined> {
	const request = this.getRequestObject();
	try {
		if (!Buffer.isBuffer(request.rawBody)) await request.readRawBody();
	} catch {
		return undefined;
	}
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
}

/** A header's single value; Node joins a repeated one with a comma, which then fails the checks. */
function headerOf(this: IWebhookFunctions, name: string): string | undefined {
	const value = this.getRequestObject().headers[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
}
