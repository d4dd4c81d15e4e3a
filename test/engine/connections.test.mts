import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { runError } from './support/engine.mts';
import type { Answer } from './support/faultServer.mts';
import { json, startFaultServer, withFaultServer } from './support/faultServer.mts';
import { actionAt, BOTH } from './support/operations.mts';
import { expired, selfSigned } from './support/certificate.mts';
import { containing } from './support/matchers.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const time = useVirtualTime();

const MAY_EXIST = 'The collection request may exist all the same';

/** A port of this machine at which nobody listens. */
async function unusedPort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}

describe.each(BOTH)('no response to a %s', (operation) => {
	const doubt = operation === 'create' ? `. ${MAY_EXIST}` : '';

	test('because nobody listens: certainly not sent', async () => {
		const error = await runError(actionAt(operation, `http://127.0.0.1:${await unusedPort()}`));
		expect(error).toMatchObject({
			name: 'NodeApiError',
			itemIndex: 0,
			message: 'The service could not be reached',
			description: containing('(ECONNREFUSED)'),
		});
	});

	test('because the host does not exist: a typing slip', async () => {
		const error = await runError(actionAt(operation, 'https://nothing.invalid'));
		expect(error).toMatchObject({
			message: 'The host of the API base URL was not found',
			description: containing('(ENOTFOUND)'),
		});
	});

	const refusesTls = async (certificate: typeof selfSigned, reason: string) => {
		const paths: Array<string | undefined> = [];
		const server = createTlsServer(certificate, ({ url }, response) => {
			paths.push(url);
			response.end('{"_id":"1"}');
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const error = await runError(actionAt(operation, `https://127.0.0.1:${port}`));
		server.close();
		expect(error).toMatchObject({
			message: 'No secure connection to the service could be made',
			description: containing('certificate'),
		});
		expect(error.description).toContain(reason);
		expect(paths).toEqual([]);
	};

	test('because the certificate is self-signed: not trusted, and nothing is sent', async () => {
		await refusesTls(selfSigned, '(DEPTH_ZERO_SELF_SIGNED_CERT)');
	});

	test('because the certificate is trusted but expired: nothing is sent', async () => {
		const usual = getCACertificates();
		setDefaultCACertificates([...usual, expired.cert]);
		try {
			await refusesTls(expired, '(CERT_HAS_EXPIRED)');
		} finally {
			setDefaultCACertificates(usual);
		}
	});

	// The same code can come from the middle of a response, so that it proves nothing for a create.
	test('because https is spoken to an http port: a wrong address, or a broken one', async () => {
		await withFaultServer(json(200, { _id: '1' }), async ({ url, requests }) => {
			const error = await runError(actionAt(operation, url.replace('http:', 'https:')));
			expect(error.message).toBe(`The secure connection to the service failed${doubt}`);
			expect(requests).toEqual([]);
		});
	});

	test.each<[string, Answer]>([
		[
			'a body shorter than promised',
			(response) => {
				response.writeHead(200, { 'content-length': '100' });
				response.write('{"_id":"1"', () => response.destroy());
			},
		],
		[
			'a chunked body that breaks off',
			(response) => {
				response.writeHead(200, { 'content-type': 'application/json' });
				response.write('{"_id":"1"', () => response.destroy());
			},
		],
		['a reset', (response) => void response.socket?.resetAndDestroy()],
		['a close without a byte', (response) => void response.socket?.end()],
	])('%s: broke off', async (_title, answer) => {
		await withFaultServer(answer, async ({ url, requests }) => {
			const error = await runError(actionAt(operation, url));
			expect(error.message).toBe(
				`The connection to the service broke off before the response was complete${doubt}`,
			);
			expect(error.itemIndex).toBe(0);
			expect(requests).toHaveLength(operation === 'create' ? 1 : 3);
		});
	});

	test('headers that never come: given up at the timeout', async () => {
		await withFaultServer(
			() => time.advance(30_000),
			async ({ url, requests }) => {
				const error = await runError(actionAt(operation, url));
				expect(error.message).toBe(`The service did not respond in time${doubt}`);
				expect(error.description).toContain('raise Timeout');
				expect(requests).toHaveLength(operation === 'create' ? 1 : 3);
			},
		);
	});
});

describe.each(BOTH)('a redirect after a %s', (operation) => {
	const doubt = operation === 'create' ? `. ${MAY_EXIST}` : '';

	test.each([301, 302, 303, 307, 308])(
		'%i is not followed, to the same or to another host',
		async (status) => {
			const target = await startFaultServer(json(200, { _id: '1' }));
			for (const location of [`${target.url}/elsewhere`, '/elsewhere']) {
				await withFaultServer(json(status, {}, { location }), async ({ url, requests }) => {
					const error = await runError(actionAt(operation, url));
					expect(error).toMatchObject({
						httpCode: String(status),
						message: `The service responded with a redirect, which is not followed (HTTP ${status})${doubt}`,
					});
					expect(requests.map((request) => request.url)).not.toContain('/elsewhere');
					expect(requests).toHaveLength(1);
				});
			}
			await target.stop();
			expect(target.requests).toEqual([]);
		},
	);
});
