import { createServer, type Server } from 'node:net';

function listen(port: number): Promise<Server | undefined> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(undefined));
		server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server));
	});
}

function portOf(server: Server): number {
	const address = server.address();
	return typeof address === 'object' && address !== null ? address.port : 0;
}

const close = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()));

/** True when nothing listens on 127.0.0.1:`port`. */
export async function isPortFree(port: number): Promise<boolean> {
	const server = await listen(port);
	if (server === undefined) return false;
	await close(server);
	return true;
}

/** `count` different free ports on 127.0.0.1, held together until all are known. */
export async function freePorts(count: number): Promise<number[]> {
	const servers: Server[] = [];
	while (servers.length < count) {
		const server = await listen(0);
		if (server !== undefined) servers.push(server);
	}
	const ports = servers.map(portOf);
	await Promise.all(servers.map(close));
	return ports;
}
