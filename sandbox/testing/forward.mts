// Forwards bytes to a server that keeps its state in memory, so that the server can seem to be
// killed: `kill -9` of this process breaks the connections, but the state stays.
// Usage: node forward.mts <port> <port of the server>
import { connect, createServer } from 'node:net';

const [port = 0, target = 0] = process.argv.slice(2).map(Number);

createServer((client) => {
	const server = connect({ host: '127.0.0.1', port: target });
	client.on('error', () => server.destroy()).on('close', () => server.destroy());
	server.on('error', () => client.destroy()).on('close', () => client.destroy());
	client.pipe(server).pipe(client);
}).listen({ port, host: '127.0.0.1' });
