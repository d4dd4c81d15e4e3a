import { createHmac, randomBytes, randomUUID } from 'node:crypto';

/** Raw header lines in order, names as written, and the exact bytes of the body. */
export interface Delivery {
	headers: Array<[name: string, value: string]>;
	body: Buffer;
}

export type Payload = Record<string, unknown> & { requestId: string };

/** The webhook secret for tests that do not need a separate one. */
export const SECRET = "the secret of these tests: ünïcode & 'quotes'";

/** HMAC-SHA256 over `<timestamp>.<body>` in lower-case hex. */
export function sign(secret: string, timestamp: string | Buffer, body: Buffer | string): string {
	const mac = createHmac('sha256', Buffer.from(secret, 'utf8'));
	return mac.update(timestamp).update('.').update(body).digest('hex');
}

/** A request ID that no other delivery in the run has. */
export const newId = () => randomBytes(12).toString('hex');

/** The payload of a notification about a new collection request. */
export function payload(changes: Record<string, unknown> = {}): Payload {
	return {
		event: 'collection_request.updated',
		requestId: newId(),
		shareStatus: 'completed',
		webhookIdentifier: 'e2e',
		timestamp: String(Date.now()),
		...changes,
	};
}

/** The fields of a notification's item, in order. */
export const NOTIFICATION_FIELDS = [
	'event',
	'requestId',
	'guestLink',
	'shareStatus',
	'webhookIdentifier',
	'timestamp',
	'notifiedAt',
	'deliveryId',
];

export interface Signing {
	/** SECRET by default. */
	secret?: string;
	/** An object is sent as minified JSON; a new payload by default. */
	body?: Buffer | string | Payload;
	timestamp?: string;
	/** What is signed instead of the body. */
	signedBody?: Buffer | string;
}

function bytesOf(body: Buffer | string | Payload): Buffer {
	if (Buffer.isBuffer(body)) return body;
	return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A delivery as the service makes it. */
export function signed(signing: Signing = {}): Delivery {
	const { secret = SECRET, body = payload(), timestamp: time = String(Date.now()) } = signing;
	const bytes = bytesOf(body);
	return {
		headers: [
			['Content-Type', 'application/json'],
			['User-Agent', 'svc-webhooks/1.0'],
			['X-SVC-Signature', sign(secret, time, signing.signedBody ?? bytes)],
			['X-SVC-Timestamp', time],
			['X-SVC-Event', 'collection_request.updated'],
			['X-SVC-Delivery-Id', randomUUID()],
		],
		body: bytes,
	};
}

const isNamed = (name: string) => (header: [string, string]) =>
	header[0].toLowerCase() === name.toLowerCase();

/** The value of a header that occurs once in the delivery. */
export function valueOf({ headers }: Delivery, name: string): string {
	return headers.find(isNamed(name))?.[1] ?? '';
}

/** The delivery without a header. */
export function without(delivery: Delivery, name: string): Delivery {
	const isOther = (header: [string, string]) => !isNamed(name)(header);
	return { ...delivery, headers: delivery.headers.filter(isOther) };
}

/** The delivery with one header line per value, in place of the original header. */
export function withHeader(delivery: Delivery, name: string, ...values: string[]): Delivery {
	const added = values.map((value): [string, string] => [name, value]);
	return { ...delivery, headers: [...without(delivery, name).headers, ...added] };
}

/** The delivery with another body but the same headers. */
export function withBody(delivery: Delivery, body: Buffer | string): Delivery {
	return { ...delivery, body: bytesOf(body) };
}

/** The item that the trigger outputs for a delivery with these fields. */
export const itemOf = (delivery: Delivery, fields: Payload, collectUrl: string) => ({
	...fields,
	notifiedAt: new Date(Number(fields.timestamp)).toISOString(),
	deliveryId: valueOf(delivery, 'X-SVC-Delivery-Id'),
	guestLink: `${collectUrl}/request/${fields.requestId}`,
});
