import type { Delivery } from '../support/delivery.mts';
import { chunksOf, endOfChunks, exchange, headOf, type HeaderLines } from '../support/send.mts';

/** How the body is split and declared. */
export interface Framing {
	/** Bytes per chunk; if omitted, there is a Content-Length. */
	chunk?: number;
	/** Follows the size of every chunk. */
	extension?: string;
	/** Header lines after the last chunk. */
	trailers?: HeaderLines;
	/** By how many bytes Content-Length exceeds the body; negative if it is too low. */
	announced?: number;
	/** Lines that replace Content-Length or Transfer-Encoding. */
	lines?: HeaderLines;
}

/** A request as sent over the wire; each character of a header is one byte. */
export interface WireRequest extends Delivery {
	framing: Framing;
}

/** Whether the server would wait for minutes for bytes that are never sent. */
export const isIncomplete = ({ framing: { announced = 0, lines } }: WireRequest) =>
	announced > 0 || lines !== undefined;

function framingLines({ body, framing: { chunk, announced = 0 } }: WireRequest): HeaderLines {
	if (chunk !== undefined) return [['Transfer-Encoding', 'chunked']];
	return [['Content-Length', String(Math.max(0, body.length + announced))]];
}

/** The request as bytes. */
export function bytesOf(url: string, request: WireRequest): Buffer {
	const { headers, body, framing } = request;
	const { lines = framingLines(request), chunk, extension, trailers } = framing;
	const head = headOf(url, 'POST', [...lines, ...headers], 'latin1');
	if (chunk === undefined) return Buffer.concat([head, body]);
	return Buffer.concat([head, ...chunksOf(body, chunk, extension), endOfChunks(trailers)]);
}

/** Sends the request; undefined if the connection is closed without a response. */
export const deliver = (url: string, request: WireRequest) =>
	exchange(url, [bytesOf(url, request)], isIncomplete(request));
