import type { IDataObject, INodeProperties, IWebhookFunctions } from 'n8n-workflow';

import type { Connection } from '../credential/connection';
import type { Notification } from './notification';
import { parseNotification, parseTimestamp } from './notification';
import { isSignedBy } from './signature';

/** Far above any notification; larger bodies are refused before they are hashed. */
const MAXIMUM_BODY_BYTES = 1024 * 1024;

/** Seconds that a signed timestamp may differ from now, unless set. */
export const MAXIMUM_AGE = 300;

/** Options > Maximum Age; {@link maximumAgeOf} reads it. */
export const maximumAgeOption: INodeProperties = {
	displayName: 'Maximum Age',
	name: 'maximumAge',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 300,
	description:
		'Seconds that the signed timestamp may differ from now, before or after; older notifications are refused. 0 switches the check off.',
};

/** Maximum Age in seconds; what is no number of 0 or more counts as not set. */
export const maximumAgeOf = ({ maximumAge }: IDataObject): number =>
	typeof maximumAge === 'number' && maximumAge >= 0 ? maximumAge : MAXIMUM_AGE;

/** One POST as it arrived; no body where n8n cannot give the raw bytes. */
export interface Delivery {
	body: Buffer | undefined;
	headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Verified {
	outcome: 'verified';
	notification: Notification;
	/** Identifies the notification: unlike the delivery ID, nobody can change it. */
	signature: string;
	/** `X-SVC-Delivery-Id`; unsigned, so it is information and not proof. */
	deliveryId: string | null;
}

export interface Refused {
	outcome: 'unverified' | 'malformed' | 'tooLarge';
	/** For n8n's log; the sender is told the outcome alone. */
	reason: string;
}

/**
 * Verifies a delivery (Signature) over its raw bytes and reads the notification from the same bytes.
 * The signed timestamp may differ from now by `maximumAge` seconds, before or after; 0 switches that
 * check off. Never throws for anything a sender can do.
 */
export function verifyDelivery(
	{ body, headers }: Delivery,
	{ verificationSecrets, sanitizer }: Pick<Connection, 'verificationSecrets' | 'sanitizer'>,
	maximumAge: number,
	now: Date,
): Verified | Refused {
	if (body === undefined) return unverified('the raw body is not available');
	if (body.length > MAXIMUM_BODY_BYTES) {
		return { outcome: 'tooLarge', reason: 'the body is larger than 1 MiB' };
	}

	const timestamp = headerOf(headers, 'x-svc-timestamp');
	if (timestamp === undefined) return unverified('X-SVC-Timestamp is missing');
	const signature = headerOf(headers, 'x-svc-signature');
	if (signature === undefined) return unverified('X-SVC-Signature is missing');

	const time = parseTimestamp(timestamp);
	if (time === undefined) return unverified('X-SVC-Timestamp is not a plain number');
	if (!isSignedBy(verificationSecrets, { timestamp, body, signature })) {
		return unverified('X-SVC-Signature does not match the body with any webhook secret');
	}
	if (!isFresh(time, now, maximumAge)) {
		return unverified(
			`the signed timestamp ${time.toISOString()} differs from now by more than the maximum age of ${maximumAge} s`,
		);
	}

	const notification = parseNotification(body, sanitizer);
	if (notification === undefined) {
		return { outcome: 'malformed', reason: 'the verified body is not a notification' };
	}
	const deliveryId = headerOf(headers, 'x-svc-delivery-id');
	return {
		outcome: 'verified',
		notification,
		signature,
		deliveryId: deliveryId === undefined ? null : sanitizer.text(deliveryId),
	};
}

const unverified = (reason: string): Refused => ({ outcome: 'unverified', reason });

/** The delivery as n8n hands it over; n8n reads the bytes of some content types only when asked to. */
export async function readDelivery(context: IWebhookFunctions): Promise<Delivery> {
	const request = context.getRequestObject();
	const { headers } = request;
	try {
		if (!Buffer.isBuffer(request.rawBody)) await request.readRawBody();
	} catch {
		return { body: undefined, headers };
	}
	return { body: Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined, headers };
}

/** A header's single value; Node joins a repeated one with a comma, which then fails the checks. */
function headerOf(headers: Delivery['headers'], name: string): string | undefined {
	const value = headers[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether the time lies within `maximumAge` seconds of now, before or after; 0 switches it off. */
export const isFresh = (time: Date, now: Date, maximumAge: number): boolean =>
	maximumAge === 0 || Math.abs(now.getTime() - time.getTime()) <= maximumAge * 1000;
