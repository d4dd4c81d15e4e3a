import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

const RESPONSE_CHARACTERS = 200;
const RESPONSE_BYTES = 64 * 1024;

export interface Outgoing {
	url: string;
	headers: Record<string, string>;
	body: Buffer;
}

/** How a POST ended; `statusCode` is null when no response came, `error` is a plain sentence. */
export interface Outcome {
	statusCode: number | null;
	answer: string;
	error: string | null;
	durationMs: number;
}

/**
 * Sends one POST and never throws. The time limit covers the whole exchange and redirects are
 * not followed (Delivery).
 */
export async function post(
	outgoing: Outgoing,
	timeoutMs: number,
	closing: AbortSignal,
): Promise<Outcome> {
	const startedAt = performance.now();
	const timeout = AbortSignal.timeout(timeoutMs);
	const partial: Pick<Outcome, 'statusCode' | 'answer'> = { statusCode: null, answer: '' };
	let error: string | null = null;
	try {
		const response = await send(outgoing, AbortSignal.any([timeout, closing]));
		partial.statusCode = response.statusCode ?? null;
		if (isRedirect(response))
			error = 'The receiver responded with a redirect, which is not followed.';
		partial.answer = await readStart(response);
	} catch (cause) {
		error = timeout.aborted ? `No complete response within ${timeoutMs} ms.` : describe(cause);
	}
	return { ...partial, error, durationMs: Math.round(performance.now() - startedAt) };
}

// node:http adds nothing but Host, Content-Length and Connection, unlike fetch.
async function send({ url, headers, body }: Outgoing, signal: AbortSignal) {
	const request = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest;
	const options = {
		method: 'POST',
		headers: { ...headers, 'Content-Length': String(body.length) },
		agent: false,
		signal,
	};
	return await new Promise<IncomingMessage>((resolve, reject) => {
		request(url, options).on('response', resolve).on('error', reject).end(body);
	});
}

async function readStart(response: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of response) {
		if (!Buffer.isBuffer(chunk)) continue;
		chunks.push(chunk);
		bytes += chunk.length;
		if (bytes > RESPONSE_BYTES) break;
	}
	return Buffer.concat(chunks).toString('utf8').slice(0, RESPONSE_CHARACTERS);
}

function isRedirect({ statusCode = 0 }: IncomingMessage): boolean {
	return statusCode >= 300 && statusCode < 400;
}

const reasons: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'Nothing listens at this address',
	ENOTFOUND: 'This host name is unknown',
	ECONNRESET: 'The receiver broke off the connection',
};

function describe(cause: unknown): string {
	if (!(cause instanceof Error)) return 'The delivery failed.';
	const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
	const reason = reasons[code];
	return reason ? `${reason} (${code}).` : cause.message || code;
}
