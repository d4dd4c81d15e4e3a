import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { sendMail, startMailbox, type Mailbox } from '../engine/support/mailbox.mts';
import { startService, type Service } from '../engine/support/service.mts';
import { createRequest, isObject, type Json } from './client.mts';

let service: Service;
let mailbox: Mailbox;
beforeAll(async () => {
	[service, mailbox] = await Promise.all([startService(), startMailbox()]);
	await createRequest(service.url, { participantList: [{ email: 'ada@example.com' }] });
	await sendMail(mailbox, 'Subject: Kept\n\nBody');
});
afterAll(() => Promise.all([service.stop(), mailbox.stop()]));

interface Answer {
	status: number | undefined;
	headers: IncomingHttpHeaders;
	body: string;
	json: Json;
}

/** One call with headers that `fetch` would not send. */
async function call(url: string, headers: OutgoingHttpHeaders, method = 'GET'): Promise<Answer> {
	const sent = request(url, { method, headers }).end();
	const [response] = (await once(sent, 'response')) as [IncomingMessage];
	const body = await text(response);
	const json: unknown = body.startsWith('{') ? JSON.parse(body) : {};
	const { statusCode: status, headers: answered } = response;
	return { status, headers: answered, body, json: isObject(json) ? json : {} };
}

const portOf = (url: string) => new URL(url).port;
const servers: Array<[name: string, server: () => Service | Mailbox, paths: string[]]> = [
	[
		'the service',
		() => service,
		['/', '/sandbox/requests', '/di/share/x', '/docs/json', '/request/x', '/healthz'],
	],
	['the mailbox', () => mailbox, ['/', '/api/mails', '/mails/1', '/mails/1/html', '/healthz']],
];

describe.each(servers)('%s responds at its own addresses only', (_name, server, paths) => {
	test.each([
		['another name', (port: string) => `rebound.example:${port}`],
		['another name without a port', () => 'rebound.example'],
		['a name that begins with its own', (port: string) => `127.0.0.1.nip.example:${port}`],
		['a name that ends with its own', (port: string) => `evil.localhost:${port}`],
		['its own without the port', () => '127.0.0.1'],
		['its own with another port', () => 'localhost:5678'],
		['one that only resembles its own', (port: string) => `127.1:${port}`],
		['one with something before it', (port: string) => `x@127.0.0.1:${port}`],
		['none', () => ' '],
	])('not at %s', async (_what, hostOn) => {
		const { url } = server();
		const host = hostOn(portOf(url));
		for (const path of [...paths, '/nowhere', '/%zz', '/mails/%E0%A4%A', '/di/%zz']) {
			for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND']) {
				const { status, body, json } = await call(`${url}${path}`, { host }, method);
				expect([method, path, status]).toEqual([method, path, 403]);
				expect(body).not.toContain('ada@example.com');
				if (method !== 'HEAD') expect(json.code).toBe('foreign_host');
			}
		}
	});

	test('the refusal names them', async () => {
		const { url } = server();
		const port = portOf(url);
		const { json } = await call(`${url}/`, { host: 'rebound.example' });
		expect(json).toEqual({
			code: 'foreign_host',
			message: `The sandbox responds at its own addresses only: 127.0.0.1:${port}, localhost:${port}, [::1]:${port}.`,
		});
	});

	test.each(['127.0.0.1', 'localhost', 'LocalHost', '[::1]'])('at %s', async (name) => {
		const { url } = server();
		const host = `${name}:${portOf(url)}`;
		expect((await call(`${url}/healthz`, { host })).json).toEqual({ status: 'ok' });
		const own = { host, origin: `http://${host.toLowerCase()}` };
		expect((await call(`${url}/healthz`, own)).status).toBe(200);
	});

	test.each([
		['another site', () => 'https://elsewhere.example'],
		['another port', () => 'http://127.0.0.1:5678'],
		['https', (url: string) => url.replace('http:', 'https:')],
		['another of its names', (url: string) => url.replace('127.0.0.1', 'localhost')],
		['no origin', () => 'null'],
	])('nothing to pages of %s, not even to read', async (_what, originOf) => {
		const { url } = server();
		for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
			const { status } = await call(`${url}/`, { origin: originOf(url) }, method);
			expect([method, status]).toEqual([method, 403]);
		}
	});

	test('no WebSocket to another name, and nothing forgotten meanwhile', async () => {
		const { url } = server();
		const upgrade = { connection: 'Upgrade', upgrade: 'websocket', host: 'rebound.example' };
		expect((await call(`${url}/`, upgrade)).status).toBe(403);
		const [, read = ''] = paths;
		expect(JSON.parse((await call(`${url}${read}`, {})).body)).toHaveLength(1);
	});
});

test('the service responds at the further addresses it is told', async () => {
	const told = await startService({ args: ['--address', 'Front.example:8080'] });
	const { status, body } = await call(`${told.url}/`, { host: 'front.example:8080' });
	expect([status, body.includes('http://front.example:8080')]).toEqual([200, true]);
	expect((await call(`${told.url}/`, { host: 'front.example' })).status).toBe(403);
	await told.stop();
});

// macOS has no 127.0.0.2 unless it is told.
const whereItExists = process.platform === 'darwin' ? test.skip : test;
whereItExists('and at the host that it was told to listen on', async () => {
	const told = await startService({ args: ['--host', '127.0.0.2'] });
	expect(told.url).toContain('//127.0.0.2:');
	expect((await call(`${told.url}/healthz`, {})).status).toBe(200);
	await told.stop();
});
