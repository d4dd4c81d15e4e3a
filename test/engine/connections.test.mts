import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { runError } from './support/engine.mts';
import { json, selfSigned, startFaultServer } from './support/faultServer.mts';
import { BOTH, CREATE, MAY_EXIST } from './support/operations.mts';

describe.each(BOTH)('no response to a %s', (_name, { parameters, doubt }) => {
	const errorAt = async (productionBaseUrl: string) =>
		await runError({ parameters, credential: { productionBaseUrl } });

	test('because the certificate is self-signed: not trusted, and nothing is sent', async () => {
		const { url, requests } = await startFaultServer(json(200, { _id: '1' }), {
			certificate: selfSigned,
		});
		const error = await errorAt(url);
		expect(error.message).toBe('A secure connection to the service could not be established');
		expect(error.description).toMatch(/certificate.*\(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
		expect(requests).toEqual([]);
	});

	// The same code can occur in the middle of a response, so it proves nothing for a create.
	test('because https is spoken to an http port: a wrong address, or a broken one', async () => {
		const { url, requests } = await startFaultServer(json(200, { _id: '1' }));
		const { message } = await errorAt(url.replace('http:', 'https:'));
		expect(message).toBe(`The secure connection to the service failed${doubt}`);
		expect(requests).toEqual([]);
	});

	test('because it redirects to another host, which gets nothing', async () => {
		const target = await startFaultServer(json(200, { _id: '1' }));
		const answer = json(307, {}, { location: `${target.url}/elsewhere` });
		expect((await runError({ parameters, answer })).httpCode).toBe('307');
		expect(target.requests).toEqual([]);
	});
});

describe('TLS that breaks after the request has arrived', () => {
	const usual = getCACertificates();
	beforeEach(() => setDefaultCACertificates([...usual, selfSigned.cert]));
	afterEach(() => setDefaultCACertificates(usual));

	/** A proxy that forwards requests and then sends plain HTTP in place of the response. */
	async function startBrokenTls() {
		let toClient: Socket | undefined;
		const service = await startFaultServer(() => toClient?.write('HTTP/1.1 200 OK\r\n\r\n'), {
			certificate: selfSigned,
		});
		const sockets: Socket[] = [];
		const proxy = createServer((client) => {
			toClient = client;
			const upstream = connect(Number(new URL(service.url).port), '127.0.0.1');
			sockets.push(client, upstream);
			for (const socket of [client, upstream]) socket.on('error', () => {});
			client.pipe(upstream).pipe(client);
		}).listen(0, '127.0.0.1');
		await once(proxy, 'listening');
		const stop = () => {
			for (const socket of sockets) socket.destroy();
			proxy.close();
		};
		const url = `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
		return { url, requests: service.requests, stop };
	}

	test('a create may exist and is not sent again', async () => {
		const { url, requests, stop } = await startBrokenTls();
		const error = await runError({ parameters: CREATE, credential: { productionBaseUrl: url } });
		stop();
		expect(error.message).toContain(MAY_EXIST);
		expect(error.description).toMatch(/ERR_SSL|EPROTO/);
		expect(requests).toMatchObject([{ method: 'POST', url: '/di/collection-request/' }]);
	});
});
