import { exchange, hangUp } from '../../support/exchange.mts';
import type { Answer } from '../../support/send.mts';
import type { HeaderLines, WireRequest } from './request.mts';

const text = (lines: HeaderLines) => lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');

function chunked({ body, framing }: WireRequest, size: number): Buffer {
	const parts: Buffer[] = [];
	for (let start = 0; start < body.length; start += size) {
		const chunk = body.subarray(start, start + size);
		const { extension = '' } = framing;
		parts.push(Buffer.from(`${chunk.length.toString(16)}${extension}\r\n`), chunk);
		parts.push(Buffer.from('\r\n'));
	}
	const end = `0\r\n${text(framing.trailers ?? [])}\r\n`;
	return Buffer.concat([...parts, Buffer.from(end, 'latin1')]);
}

function framingLines({ body, framing }: WireRequest): HeaderLines {
	if (framing.chunk !== undefined) return [['Transfer-Encoding', 'chunked']];
	return [['Content-Length', String(Math.max(0, body.length + (framing.announced ?? 0)))]];
}

/** The request as bytes. */
export function bytesOf(url: string, request: WireRequest): Buffer {
	const { host, pathname } = new URL(url);
	const { headers, body, framing } = request;
	const fixed: HeaderLines = [
		['Host', host],
		['Connection', 'close'],
	];
	const lines = [...fixed, ...(framing.lines ?? framingLines(request)), ...headers];
	const head = Buffer.from(`POST ${pathname} HTTP/1.1\r\n${text(lines)}\r\n`, 'latin1');
	const { chunk } = framing;
	return Buffer.concat([head, chunk === undefined ? body : chunked(request, chunk)]);
}

/** Sends the request; undefined when the connection is closed without an answer. */
export async function deliver(url: string, request: WireRequest): Promise<Answer | undefined> {
	const { announced = 0, lines } = request.framing;
	// A server that waits for more would wait for minutes.
	const isIncomplete = announced > 0 || lines !== undefined;
	return await (isIncomplete ? hangUp : exchange)(url, bytesOf(url, request));
}
