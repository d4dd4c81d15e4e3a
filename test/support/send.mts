import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Delivery } from './delivery.mts';

export interface Answer {
	status: number;
	contentType: string;
	text: string;
}

export type HeaderLines = Delivery['headers'];

const limit = 60_000;
const endOfHead = '\r\n\r\n';

export const lengthOf = ({ body }: Delivery, more = 0): HeaderLines[number] => [
	'Content-Length',
	String(body.length + more),
];

/** Posts a delivery; header lines are sent exactly as they are, including repeated ones. */
export async function send(url: string, delivery: Delivery, within = limit): Promise<Answer> {
	const lines = [['Host', new URL(url).host], ...delivery.headers, lengthOf(delivery)];
	return await new Promise<Answer>((resolve, reject) => {
		const options = { method: 'POST', headers: lines.flat(), agent: false };
		const call = request(url, { ...options, signal: AbortSignal.timeout(within) });
		call.on('error', reject);
		call.on('response', (response) => {
			const { statusCode = 0, headers } = response;
			text(response).then((answer) => {
				const contentType = headers['content-type'] ?? '';
				resolve({ status: statusCode, contentType, text: answer });
			}, reject);
		});
		call.end(delivery.body);
	});
}

const textOf = (lines: HeaderLines) =>
	lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');

/** The head of a request, up to the empty line; values may contain any bytes, in this encoding. */
export function headOf(
	url: string,
	method: string,
	headers: HeaderLines,
	encoding: 'utf8' | 'latin1' = 'utf8',
): Buffer {
	const { host, pathname } = new URL(url);
	const lines = textOf([['Host', host], ['Connection', 'close'], ...headers]);
	return Buffer.from(`${method} ${pathname} HTTP/1.1\r\n${lines}\r\n`, encoding);
}

/** One chunk of a body; the extension follows its size. */
export const chunkOf = (bytes: Buffer, extension = '') =>
	Buffer.concat([
		Buffer.from(`${bytes.length.toString(16)}${extension}\r\n`),
		...[bytes, Buffer.from('\r\n')],
	]);

/** The end of a chunked body, with optional trailers. */
export const endOfChunks = (trailers: HeaderLines = []) =>
	Buffer.from(`0\r\n${textOf(trailers)}\r\n`, 'latin1');

/** The body in chunks of this many bytes, without the final chunk. */
function chunksOf(body: Buffer, size: number, extension?: string): Buffer[] {
	const starts = Array.from({ length: Math.ceil(body.length / size) }, (_, index) => index * size);
	return starts.map((start) => chunkOf(body.subarray(start, start + size), extension));
}

/** The response in what has arrived so far; undefined while its head or body is incomplete. */
function answerIn(reply: Buffer, isOver: boolean): Answer | undefined {
	const end = reply.indexOf(endOfHead);
	if (end === -1) return undefined;
	const head = reply.toString('latin1', 0, end);
	const body = reply.subarray(end + endOfHead.length);
	const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
	// "100 Continue" only precedes the response.
	if (status === 100) return answerIn(body, isOver);
	const field = (name: string) => RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1]?.trim();
	if (!isOver && body.length < Number(field('content-length') ?? Infinity)) return undefined;
	return { status, contentType: field('content-type') ?? '', text: body.toString('utf8') };
}

/**
 * Writes bytes to a server unchanged, then hangs up if told to. Resolves to the server's response,
 * at the latest when the server closes the connection; undefined if it closes without one. The
 * server may respond before everything is written.
 */
export async function exchange(
	url: string,
	bytes: Buffer[],
	hangsUp = false,
): Promise<Answer | undefined> {
	const { hostname, port } = new URL(url);
	return await new Promise((resolve, reject) => {
		const socket = connect({ host: hostname, port: Number(port) });
		let reply = Buffer.alloc(0);
		const look = (isOver: boolean) => {
			const answer = answerIn(reply, isOver);
			if (answer === undefined && !isOver) return;
			resolve(answer);
			socket.destroy();
		};
		socket.setTimeout(limit, () => {
			reject(new Error('No answer over the socket'));
			socket.destroy();
		});
		socket.on('data', (chunk: Buffer) => {
			reply = Buffer.concat([reply, chunk]);
			look(false);
		});
		// A server that refuses what is still being written resets the connection.
		socket.on('error', () => look(true));
		socket.on('close', () => look(true));
		for (const chunk of bytes) socket.write(chunk);
		if (hangsUp) socket.end();
	});
}

/** The receiver closed the connection, and no response arrived. */
export class NoAnswer extends Error {
	constructor() {
		super('The connection was closed without an answer');
	}
}

/** Writes bytes unchanged and resolves to the response; fails if there is none. */
export async function sendBytes(url: string, ...bytes: Buffer[]): Promise<Answer> {
	const answer = await exchange(url, bytes);
	if (answer === undefined) throw new NoAnswer();
	return answer;
}

/** Sends over a raw socket: header values may contain any bytes, written as UTF-8. */
export const sendRaw = (url: string, delivery: Delivery) =>
	sendBytes(url, headOf(url, 'POST', [lengthOf(delivery), ...delivery.headers]), delivery.body);

/** The same without a Content-Length: in chunks of 64 KiB. */
export const sendChunked = (url: string, { headers, body }: Delivery) => {
	const head = headOf(url, 'POST', [['Transfer-Encoding', 'chunked'], ...headers]);
	return sendBytes(url, head, ...chunksOf(body, 64 * 1024), endOfChunks());
};
