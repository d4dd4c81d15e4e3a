import { appendFileSync } from 'node:fs';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../../support/listener.mts';

type Target = { name: string; port: number };

/** Paths for the webhook processes, as docs/scaling.md says; test URLs go to main. */
const production = /^\/(webhook|webhook-waiting|form|form-waiting)\//;

/** A load balancer as docs/scaling.md describes it, without WebSockets; returns how to close it. */
export async function startLoadBalancer(
	port: number,
	main: Target,
	webhooks: Target[],
	logFile: string,
) {
	let turn = 0;
	const answer = (incoming: IncomingMessage, response: ServerResponse) => {
		const { method, url = '', rawHeaders: headers } = incoming;
		const isProduction = production.test(url);
		const target = (isProduction && webhooks[(turn += 1) % webhooks.length]) || main;
		const to = { host: '127.0.0.1', port: target.port, path: url, method, headers, agent: false };
		const outgoing = request(to, (received) => {
			response.writeHead(received.statusCode ?? 502, received.rawHeaders);
			received.pipe(response);
			// Without the query, which may contain a token.
			const what = `${received.statusCode} ${method} ${url.replace(/\?.*/s, '')}`;
			appendFileSync(logFile, `${new Date().toISOString()} ${target.name} ${what}\n`);
		});
		outgoing.on('error', () => {
			if (response.headersSent) response.destroy();
			else response.writeHead(502).end();
		});
		incoming.pipe(outgoing);
	};
	return (await listen(answer, { port })).close;
}
