import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Delivery } from './delivery.mts';
import { exchange, headOf } from './exchange.mts';

export interface Answer {
	status: number;
	contentType: string;
	text: string;
}

const limit = 60_000;
const chunkSize = 64 * 1024;

/** Posts a delivery; header lines leave exactly as they are, repeated ones too. */
export async function send(
	url: string,
	{ headers, body }: Delivery,
	within = limit,
): Promise<Answer> {
	const { host } = new URL(url);
	const lines = [['Host', host], ...headers, ['Content-Length', String(body.length)]];
	return await new Promise<Answer>((resolve, reject) => {
		const options = { method: 'POST', headers: lines.flat(), agent: false };
		const call = request(url, { ...options, signal: AbortSignal.timeout(within) });
		call.on('error', reject);
		call.on('response', (response) => {
			const { statusCode = 0, headers: answered } = response;
			text(response).then((answer) => {
				const contentType = answered['content-type'] ?? '';
				resolve({ status: statusCode, contentType, text: answer });
			}, reject);
		});
		call.end(body);
	});
}

/** The receiver closed the connection and said nothing that arrived. */
export class NoAnswer extends Error {
	constructor() {
		super('The connection was closed without an answer');
	}
}

/** The answer to bytes that are written as they are; a sender that gets none has failed. */
export async function sendBytes(url: string, ...bytes: Buffer[]): Promise<Answer> {
	const answer = await exchange(url, ...bytes);
	if (answer === undefined) throw new NoAnswer();
	return answer;
}

/** Sends over a bare socket: header values may hold any bytes, written as UTF-8. */
export async function sendRaw(url: string, { headers, body }: Delivery): Promise<Answer> {
	const lines: Delivery['headers'] = [['Content-Length', String(body.length)], ...headers];
	return await sendBytes(url, headOf(url, 'POST', lines), body);
}

/** The same without a Content-Length: in chunks of 64 KiB. */
export async function sendChunked(url: string, { headers, body }: Delivery): Promise<Answer> {
	const chunks = [headOf(url, 'POST', [['Transfer-Encoding', 'chunked'], ...headers])];
	for (let start = 0; start < body.length; start += chunkSize) {
		const chunk = body.subarray(start, start + chunkSize);
		chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
	}
	return await sendBytes(url, ...chunks, Buffer.from('0\r\n\r\n'));
}
