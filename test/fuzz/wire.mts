import type { Delivery } from '../support/delivery.mts';
import { exchange, hangUp } from '../support/exchange.mts';
import type { Answer } from '../support/send.mts';

export type HeaderLines = Delivery['headers'];

/** How the body is cut and announced. */
export interface Framing {
	/** Bytes of each chunk; without it there is a Content-Length. */
	chunk?: number;
	/** Follows the size of every chunk. */
	extension?: string;
	/** Header lines after the last chunk. */
	trailers?: HeaderLines;
	/** Bytes that Content-Length says more, or fewer, than there are. */
	announced?: number;
	/** Lines in place of Content-Length or Transfer-Encoding. */
	lines?: HeaderLines;
}

/** A request as it goes over the wire; a header's characters are its bytes. */
export interface WireRequest extends Delivery {
	framing: Framing;
}

/** Whether the server would wait, for minutes, for more than is sent. */
export const isIncomplete = ({ framing: { announced = 0, lines } }: WireRequest) =>
	announced > 0 || lines !== undefined;

const textOf = (lines: HeaderLines) =>
	lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');

function chunked({ body, framing }: WireRequest, size: number): Buffer {
	const { extension = '', trailers = [] } = framing;
	const parts: Buffer[] = [];
	for (let start = 0; start < body.length; start += size) {
		const chunk = body.subarray(start, start + size);
		const head = `${chunk.length.toString(16)}${extension}\r\n`;
		parts.push(Buffer.from(head), chunk, Buffer.from('\r\n'));
	}
	return Buffer.concat([...parts, Buffer.from(`0\r\n${textOf(trailers)}\r\n`, 'latin1')]);
}

function framingLines({ body, framing: { chunk, announced = 0 } }: WireRequest): HeaderLines {
	if (chunk !== undefined) return [['Transfer-Encoding', 'chunked']];
	return [['Content-Length', String(Math.max(0, body.length + announced))]];
}

/** The request as bytes. */
export function bytesOf(url: string, request: WireRequest): Buffer {
	const { host, pathname } = new URL(url);
	const { headers, body, framing } = request;
	const fixed = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n`;
	const lines = textOf([...(framing.lines ?? framingLines(request)), ...headers]);
	const sent = framing.chunk === undefined ? body : chunked(request, framing.chunk);
	return Buffer.concat([Buffer.from(`${fixed}${lines}\r\n`, 'latin1'), sent]);
}

/** Sends the request; undefined when the connection is closed without an answer. */
export async function deliver(url: string, request: WireRequest): Promise<Answer | undefined> {
	return await (isIncomplete(request) ? hangUp : exchange)(url, bytesOf(url, request));
}
