import { connect } from 'node:net';
import type { Answer } from './send.mts';

const limit = 60_000;
const endOfHead = '\r\n\r\n';

/** The answer in what has come so far; undefined while its head or its body is not complete. */
function answerIn(reply: Buffer, isOver: boolean): Answer | undefined {
	const end = reply.indexOf(endOfHead);
	if (end === -1) return undefined;
	const head = reply.toString('latin1', 0, end);
	const body = reply.subarray(end + endOfHead.length);
	const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
	// "100 Continue" only comes before the answer.
	if (status === 100) return answerIn(body, isOver);
	const field = (name: string) => RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1]?.trim();
	if (!isOver && body.length < Number(field('content-length') ?? Infinity)) return undefined;
	return { status, contentType: field('content-type') ?? '', text: body.toString('utf8') };
}

async function converse(url: string, bytes: Buffer[], hangsUp: boolean) {
	const { hostname, port } = new URL(url);
	return await new Promise<Answer | undefined>((resolve, reject) => {
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

/**
 * Writes bytes to a server as they are and answers what it says, at the latest when it closes the
 * connection; undefined when it closes without an answer. It may answer before all is written.
 */
export const exchange = async (url: string, ...bytes: Buffer[]) =>
	await converse(url, bytes, false);

/** The same of a sender that hangs up when all is written. */
export const hangUp = async (url: string, ...bytes: Buffer[]) => await converse(url, bytes, true);

/** The lines of a request up to the empty one; values may hold any bytes, written as UTF-8. */
export function headOf(url: string, method: string, headers: Array<[string, string]>): Buffer {
	const { host, pathname } = new URL(url);
	const lines = [['Host', host], ['Connection', 'close'], ...headers];
	const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
	return Buffer.from(`${method} ${pathname} HTTP/1.1\r\n${text}\r\n`);
}
