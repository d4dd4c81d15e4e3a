import { createProxyServer } from 'httpxy';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';

type Target = { name: string; port: number };

/** Paths for the webhook processes, as in n8n's documentation; test URLs go to main. */
const production = /^\/(webhook|webhook-waiting|form|form-waiting)\//;

/** Without the query, which may contain a token. */
const pathOf = ({ url = '' }: IncomingMessage) => url.replace(/\?.*/s, '');
const urlOf = ({ port }: Target) => `http://127.0.0.1:${port}`;

/** The first target that accepts a connection; undefined if none does. */
async function reach(targets: Target[]): Promise<[Target, Socket] | undefined> {
	for (const target of targets) {
		const socket = connect({ host: '127.0.0.1', port: target.port, noDelay: true });
		const isConnected = await once(socket, 'connect').catch(() => undefined);
		if (isConnected) return [target, socket];
	}
	return undefined;
}

function badGateway(response: ServerResponse): void {
	if (response.headersSent) return void response.destroy();
	response.writeHead(502, { 'content-type': 'application/json', connection: 'close' });
	response.end('{"message":"No process of n8n answers"}');
}

/** A load balancer as in n8n's documentation, which skips dead targets; returns how to close it. */
export async function startLoadBalancer(
	port: number,
	main: Target,
	webhooks: Target[],
	logFile: string,
) {
	const proxy = createProxyServer();
	let turn = 0;
	const targetsOf = (incoming: IncomingMessage) => {
		if (!production.test(pathOf(incoming))) return [main];
		turn = (turn + 1) % webhooks.length;
		return [...webhooks.slice(turn), ...webhooks.slice(0, turn)];
	};
	const pass = async (incoming: IncomingMessage, response: ServerResponse) => {
		const found = await reach(targetsOf(incoming));
		if (found === undefined) return badGateway(response);
		const [target, socket] = found;
		response.once('finish', () => {
			const what = `${target.name} ${response.statusCode} ${incoming.method} ${pathOf(incoming)}`;
			appendFileSync(logFile, `${new Date().toISOString()} ${what}\n`);
		});
		// Reuses the open connection: a request that has reached a target must not be sent again.
		const agent = Object.assign(new Agent(), { createConnection: () => socket });
		await proxy.web(incoming, response, { target: urlOf(target), agent });
	};
	const server = createServer((incoming, response) => {
		pass(incoming, response).catch(() => badGateway(response));
	});
	// The editor's WebSocket to main.
	server.on('upgrade', (incoming: IncomingMessage, client: Socket, head: Buffer) => {
		proxy.ws(incoming, client, { target: urlOf(main) }, head).catch(() => client.destroy());
	});
	server.listen({ port, host: '127.0.0.1', exclusive: true });
	await once(server, 'listening');
	return async () => {
		server.close().closeAllConnections();
		await once(server, 'close');
	};
}
