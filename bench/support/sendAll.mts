import autocannon from 'autocannon';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { Failure } from '../../sandbox/shared/failure.mts';

/** A new notification, signed as the service does. */
function notification(secret: string) {
	const timestamp = String(Date.now());
	const body = JSON.stringify({
		event: 'collection_request.updated',
		requestId: randomBytes(12).toString('hex'),
		shareStatus: 'completed',
		webhookIdentifier: 'bench',
		timestamp,
	});
	const hmac = createHmac('sha256', secret).update(`${timestamp}.${body}`);
	const headers = {
		'Content-Type': 'application/json',
		'User-Agent': 'svc-webhooks/1.0',
		'X-SVC-Signature': hmac.digest('hex'),
		'X-SVC-Timestamp': timestamp,
		'X-SVC-Event': 'collection_request.updated',
		'X-SVC-Delivery-Id': randomUUID(),
	};
	return { headers, body };
}

interface Sending {
	url: string;
	/** Signs the notifications. */
	secret: string;
	amount: number;
	/** Each connection waits for a response before it sends again. */
	connections: number;
	/** The status of every response. */
	status: number;
}

/**
 * Sends that many notifications; resolves to when the first was sent and when the last response came,
 * in milliseconds since 1970. Throws a Failure if a response has another status, or none comes.
 */
export async function sendAll({ url, secret, amount, connections, status }: Sending) {
	const start = Date.now();
	// autocannon looks only now and then whether it is done.
	let end = start;
	let right = 0;
	await new Promise<void>((resolve, reject) => {
		const setupRequest = (given: autocannon.Request) => ({ ...given, ...notification(secret) });
		const requests = [{ method: 'POST' as const, setupRequest }];
		const options = { url, connections, amount, timeout: 60, sampleInt: 100, requests };
		const run = autocannon(options, (error: Error | null) => (error ? reject(error) : resolve()));
		run.on('response', (_client, got) => {
			end = Date.now();
			if (got === status) right += 1;
		});
	});
	if (right === amount) return { start, end };
	throw new Failure(`${right} of ${amount} responses from ${url} had status ${status}`);
}
