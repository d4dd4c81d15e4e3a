import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A place that can respond. */
export interface Target {
	name: string;
	port: number;
}

export interface ProxyOptions {
	port: number;
	/** Responds to all that is not for the webhook processes. */
	main: Target;
	webhooks: Target[];
	/** Told of each response; `path` is without its query, which can hold a token. */
	onAnswer?: (answer: { by: string; method: string; path: string; status: number }) => void;
}

export interface Proxy {
	url: string;
	close(): Promise<void>;
}

/** The webhook processes' share in n8n's documentation; the addresses for tests are main's. */
const production = /^\/(webhook|webhook-waiting|form|form-waiting)\//;

const pathOf = ({ url = '' }: IncomingMessage) => url.replace(/\?.*/s, '');

function connectTo({ port }: Target): Promise<Socket> {
	return new Promise((resolve, reject) => {
		const socket = connect({ host: '127.0.0.1', port, noDelay: true });
		socket.once('error', reject);
		socket.once('connect', () => {
			socket.off('error', reject);
			resolve(socket);
		});
	});
}

/** The first target that accepts a connection; undefined when none does. */
async function reach(targets: Target[]): Promise<[Target, Socket] | undefined> {
	for (const target of targets) {
		const socket = await connectTo(target).catch(() => undefined);
		if (socket !== undefined) return [target, socket];
	}
	return undefined;
}

function badGateway(response: ServerResponse): void {
	if (response.headersSent) return void response.destroy();
	response.writeHead(502, { 'content-type': 'application/json', connection: 'close' });
	response.end('{"message":"No process of n8n answers"}');
}

/** Passes a request on, header lines and body as they came, and its response back. */
function pass(incoming: IncomingMessage, response: ServerResponse, socket: Socket): void {
	const { method, url, rawHeaders } = incoming;
	const call = request({
		...{ method, path: url, headers: rawHeaders, setHost: false },
		createConnection: () => socket,
	});
	call.on('response', (answer) => {
		const { statusCode = 502, statusMessage, rawHeaders: lines } = answer;
		response.writeHead(statusCode, statusMessage, lines);
		answer.on('error', () => response.destroy());
		answer.pipe(response);
	});
	call.on('error', () => badGateway(response));
	// What the caller gives up is given up behind as well.
	response.on('close', () => call.destroy());
	incoming.pipe(call);
}

/** Passes a WebSocket on, which the editor keeps open to main. */
async function passUpgrade(incoming: IncomingMessage, client: Duplex, head: Buffer, main: Target) {
	const socket = await connectTo(main);
	const { method, url, rawHeaders } = incoming;
	const lines = rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`));
	socket.write(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n`);
	socket.write(head);
	const end = () => [client, socket].forEach((side) => side.destroy());
	for (const side of [client, socket]) side.on('error', end).on('close', end);
	client.pipe(socket).pipe(client);
}

/**
 * A load balancer on 127.0.0.1 as n8n's documentation asks for: the webhook processes take turns,
 * one that is down is passed over, and everything else goes to main.
 */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
	const { port, main, webhooks, onAnswer } = options;
	let turn = 0;
	const targetsOf = (incoming: IncomingMessage) => {
		if (!production.test(pathOf(incoming))) return [main];
		turn = (turn + 1) % webhooks.length;
		return [...webhooks.slice(turn), ...webhooks.slice(0, turn)];
	};
	const server = createServer((incoming, response) => {
		void reach(targetsOf(incoming)).then((found) => {
			if (found === undefined) return badGateway(response);
			const [{ name: by }, socket] = found;
			const { method = '' } = incoming;
			response.once('finish', () =>
				onAnswer?.({ by, method, path: pathOf(incoming), status: response.statusCode }),
			);
			pass(incoming, response, socket);
		});
	});
	server.on('upgrade', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
		passUpgrade(incoming, client, head, main).catch(() => client.destroy());
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject).listen({ port, host: '127.0.0.1', exclusive: true }, resolve);
	});
	const close = () =>
		new Promise<void>((resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
	return { url: `http://127.0.0.1:${port}`, close };
}
