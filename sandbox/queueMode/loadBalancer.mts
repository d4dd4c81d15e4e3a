import { createProxyServer } from 'httpxy';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Target = { name: string; url: string };

/** Paths for the webhook processes, as in n8n's documentation; test URLs go to main. */
const production = /^\/(webhook|webhook-waiting|form|form-waiting)\//;

/** A load balancer as in n8n's documentation; returns how to close it. */
export async function startLoadBalancer(
	port: number,
	main: Target,
	webhooks: Target[],
	logFile: string,
) {
	const proxy = createProxyServer();
	let turn = 0;
	const pass = async (incoming: IncomingMessage, response: ServerResponse) => {
		// Without the query, which may contain a token.
		const path = (incoming.url ?? '').replace(/\?.*/s, '');
		const isProduction = production.test(path);
		const target = (isProduction && webhooks[(turn += 1) % webhooks.length]) || main;
		response.once('finish', () => {
			const what = `${target.name} ${response.statusCode} ${incoming.method} ${path}`;
			appendFileSync(logFile, `${new Date().toISOString()} ${what}\n`);
		});
		await proxy.web(incoming, response, { target: target.url });
	};
	const server = createServer((incoming, response) => {
		pass(incoming, response).catch(() => {
			if (response.headersSent) response.destroy();
			else response.writeHead(502).end();
		});
	});
	// The editor's WebSocket to main.
	server.on('upgrade', (incoming: IncomingMessage, client: Socket, head: Buffer) => {
		proxy.ws(incoming, client, { target: main.url }, head).catch(() => client.destroy());
	});
	server.listen({ port, host: '127.0.0.1', exclusive: true });
	await once(server, 'listening');
	return async () => {
		server.close().closeAllConnections();
		await once(server, 'close');
	};
}
