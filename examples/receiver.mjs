// Receives notifications, as docs/verify-signatures.md describes.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET, PORT = '8080' } = process.env;
if (!WEBHOOK_SECRET) throw new Error('Set WEBHOOK_SECRET');
const LARGEST_BODY = 1024 * 1024;

/** Milliseconds since 1970. NaN unless it is digits or ISO 8601 in UTC. */
function timeOf(timestamp) {
	if (/^\d{10,19}$/.test(timestamp)) return Number(timestamp.slice(0, 13).padEnd(13, '0'));
	const isIso8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/.test(timestamp);
	return isIso8601 ? Date.parse(timestamp) : NaN;
}

/** Whether the secret signed the body, and the timestamp is within five minutes of now. */
function isGenuine(headers, body) {
	const timestamp = String(headers['x-svc-timestamp']);
	const signature = String(headers['x-svc-signature']);
	if (!/^[0-9a-f]{64}$/.test(signature)) return false;
	const isRecent = Math.abs(Date.now() - timeOf(timestamp)) <= 300_000;
	if (!isRecent) return false;
	const hmac = createHmac('sha256', WEBHOOK_SECRET).update(`${timestamp}.`).update(body);
	return timingSafeEqual(hmac.digest(), Buffer.from(signature, 'hex'));
}

/** Returns the bytes of the body. Throws if there are too many or the sender hangs up. */
async function bodyOf(request) {
	const chunks = [];
	let size = 0;
	for await (const chunk of request) {
		size += chunk.length;
		// Leaving the loop closes the connection.
		if (size > LARGEST_BODY) throw new Error('The body is too large');
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

async function receive(request, respond) {
	if (Number(request.headers['content-length']) > LARGEST_BODY) return respond(413);
	const body = await bodyOf(request);
	if (!isGenuine(request.headers, body)) return respond(401);
	const { requestId, shareStatus } = JSON.parse(body);
	if (typeof requestId !== 'string') return respond(400);
	respond(200);
	console.log(`${requestId} is ${shareStatus}`);
}

const server = createServer((request, response) => {
	const respond = (status) => response.writeHead(status, { Connection: 'close' }).end();
	// For example, the sender hung up, or the signed body is not JSON. The receiver keeps running.
	receive(request, respond).catch((error) => {
		console.error(error.message);
		if (!response.headersSent) respond(400);
	});
});

server.listen(Number(PORT), '127.0.0.1', () => {
	console.log(`Listening on port ${server.address().port}`);
});
