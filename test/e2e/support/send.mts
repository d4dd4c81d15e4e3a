import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Delivery } from './delivery.mts';

export interface Answer {
	status: number;
	contentType: string;
	text: string;
}

const limit = 60_000;

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

/** The same over a bare socket: header values may hold any bytes, written as UTF-8. */
export async function sendRaw(url: string, { headers, body }: Delivery): Promise<Answer> {
	const { host, hostname, port, pathname } = new URL(url);
	const fixed = [
		['Host', host],
		['Connection', 'close'],
		['Content-Length', String(body.length)],
	];
	const lines = [...fixed, ...headers].map(([name, value]) => `${name}: ${value}\r\n`);
	const socket = connect({ host: hostname, port: Number(port) });
	socket.setTimeout(limit, () => socket.destroy(new Error('No answer over the socket')));
	socket.write(`POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`);
	socket.write(body);
	const reply = await text(socket);
	const end = reply.indexOf('\r\n\r\n');
	const head = reply.slice(0, end);
	return {
		status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]),
		contentType: /^content-type: *(.*)$/im.exec(head)?.[1]?.trim() ?? '',
		text: reply.slice(end + 4),
	};
}
