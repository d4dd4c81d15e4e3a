import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Delivery } from './delivery.mts';

export interface Answer {
	status: number;
	contentType: string;
	text: string;
}

interface Options {
	method?: string;
	/** Leaves out Content-Length: the body comes in chunks. */
	chunked?: boolean;
	/** Milliseconds until there must be a response; a minute by default. */
	within?: number;
}

/** Sends a delivery; header lines are sent exactly as they are, including repeated ones. */
export async function send(url: string, { headers, body }: Delivery, options: Options = {}) {
	const { method = 'POST', chunked = false, within = 60_000 } = options;
	const length = ['Content-Length', String(body.length)];
	const lines = [...headers, chunked ? ['Transfer-Encoding', 'chunked'] : length];
	const sent = { method, agent: false, headers: ['Host', new URL(url).host, ...lines.flat()] };
	return await new Promise<Answer>((resolve, reject) => {
		const call = request(url, { ...sent, signal: AbortSignal.timeout(within) });
		call.on('error', reject);
		call.on('response', (response) => {
			const { statusCode: status = 0, headers: given } = response;
			text(response).then((answer) => {
				resolve({ status, contentType: given['content-type'] ?? '', text: answer });
			}, reject);
		});
		call.end(body);
	});
}

/** The bytes before the body of a POST, with these header lines. */
export function headOf(url: string, headers: Delivery['headers']): Buffer {
	const { host, pathname } = new URL(url);
	const lines = [['Host', host], ...headers].map(([name, value]) => `${name}: ${value}\r\n`);
	return Buffer.from(`POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`);
}
