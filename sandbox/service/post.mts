import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

const RESPONSE_CHARACTERS = 200;
const RESPONSE_BYTES = 64 * 1024;
/** Milliseconds until the service gives up (Delivery). */
const TIMEOUT = 5_000;

export type Message = { headers: Record<string, string>; body: Buffer };

/** Sends one POST (Delivery), with a timeout and no redirects; returns its result, never throws. */
export async function post(url: string, message: Message, closing: AbortSignal) {
	const startedAt = performance.now();
	const timeout = AbortSignal.timeout(TIMEOUT);
	let statusCode: number | null = null;
	let answer = '';
	let error: string | null = null;
	try {
		const response = await send(url, message, AbortSignal.any([timeout, closing]));
		const { statusCode: status = 0 } = response;
		statusCode = status;
		if (status >= 300 && status < 400)
			error = 'The receiver responded with a redirect, which is not followed.';
		answer = await readStart(response);
	} catch (cause) {
		error = timeout.aborted ? `No complete response within ${TIMEOUT} ms.` : describe(cause);
	}
	return { statusCode, answer, error, durationMs: Math.round(performance.now() - startedAt) };
}

// Unlike fetch, node:http adds only Host, Content-Length and Connection.
async function send(url: string, { headers, body }: Message, signal: AbortSignal) {
	const request = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest;
	const length = { 'Content-Length': String(body.length) };
	const options = { method: 'POST', headers: { ...headers, ...length }, agent: false, signal };
	return await new Promise<IncomingMessage>((resolve, reject) => {
		request(url, options).on('response', resolve).on('error', reject).end(body);
	});
}

async function readStart(response: AsyncIterable<Buffer>): Promise<string> {
	let start = Buffer.alloc(0);
	for await (const chunk of response) {
		start = Buffer.concat([start, chunk]);
		if (start.length > RESPONSE_BYTES) break;
	}
	return start.toString('utf8').slice(0, RESPONSE_CHARACTERS);
}

const reasons: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'Nothing is listening at this address',
	ENOTFOUND: 'This host name is unknown',
	ECONNRESET: 'The receiver closed the connection',
};

function describe(cause: unknown): string {
	const { code = '', message = '' } = cause as NodeJS.ErrnoException;
	return reasons[code] ? `${reasons[code]} (${code}).` : message || code;
}
