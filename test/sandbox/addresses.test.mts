import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { sendMail } from '../support/mailbox.mts';
import { containing } from '../support/matchers.mts';
import { useMailbox, useService, type Json } from './client.mts';

const service = useService();
const mailbox = useMailbox();
let id: string;
beforeAll(async () => {
	id = await service.newRequest({ participantList: [{ email: 'ada@example.com' }] });
	await sendMail(mailbox, 'Subject: Kept\n\nBody');
});

/** One request with headers that `fetch` would not send. */
async function call(url: string, headers: OutgoingHttpHeaders = {}, method = 'GET') {
	const sent = request(url, { method, headers }).end();
	const [response] = (await once(sent, 'response')) as [IncomingMessage];
	const body = await text(response);
	const json = body.startsWith('{') ? (JSON.parse(body) as Json) : {};
	return { status: response.statusCode, body, json };
}

const servers = {
	'the service': {
		url: service.url,
		state: ['/sandbox/requests', '/sandbox/faults'],
		pages: ['/', '/di/share/x', '/request/x', '/healthz'],
		forms: [
			'/console/requests/ID/complete',
			'/sandbox/requests/ID/complete',
			'/sandbox',
			'/request/ID',
		],
	},
	'the mailbox': {
		url: () => mailbox.url,
		state: ['/api/mails'],
		pages: ['/', '/mails/1', '/mails/1/html', '/healthz'],
		forms: ['/empty', '/api/mails'],
	},
};

describe.each(Object.entries(servers))('%s responds at its own addresses only', (_name, server) => {
	const { url, state, pages, forms } = server;
	const withPort = (address: string) => address.replace('PORT', new URL(url()).port);
	const addressOf = (path: string) => `${url()}${path.replace('ID', id)}`;
	const kept = async () => {
		const read = await Promise.all(state.map((path) => call(addressOf(path))));
		return read.map(({ body }) => body);
	};
	let before: string[];
	beforeAll(async () => {
		before = await kept();
		expect(JSON.parse(String(before[0]))).toHaveLength(1);
	});

	/** Tries all methods on all paths, and expects the same refusal and no change each time. */
	async function expectRefusals(
		headers: OutgoingHttpHeaders,
		code: string,
		methods: string[],
		paths: string[],
	) {
		for (const path of paths) {
			for (const method of methods) {
				const { status, body, json } = await call(addressOf(path), headers, method);
				expect([method, path, status]).toEqual([method, path, 403]);
				expect(body).not.toContain('ada@example.com');
				if (method !== 'HEAD') expect(json.code).toBe(code);
			}
		}
		expect(await kept()).toEqual(before);
	}

	test.each([
		...['rebound.example:PORT', 'rebound.example', '127.0.0.1.nip.example:PORT'],
		...['evil.localhost:PORT', '127.0.0.1', 'localhost:5678', 'x@127.0.0.1:PORT', ' '],
	])('not at %j', async (host) => {
		const methods = ['GET', 'HEAD', 'POST', 'OPTIONS'];
		const paths = [...state, ...pages, '/nowhere', '/%zz'];
		await expectRefusals({ host: withPort(host) }, 'foreign_host', methods, paths);
	});

	test.each(['127.0.0.1', 'localhost', 'LocalHost', '[::1]'])('at %s', async (name) => {
		const host = withPort(`${name}:PORT`);
		for (const origin of [{}, { origin: `http://${host.toLowerCase()}` }]) {
			const { status, json } = await call(addressOf('/healthz'), { host, ...origin });
			expect([status, json]).toEqual([200, { status: 'ok' }]);
		}
	});

	test.each([
		...['https://elsewhere.example', 'http://127.0.0.1:5678', 'https://127.0.0.1:PORT'],
		...['http://localhost:PORT', 'null'],
	])('it gives nothing to pages of %s, not even to read', async (origin) => {
		const methods = ['GET', 'HEAD', 'POST', 'DELETE'];
		await expectRefusals({ origin: withPort(origin) }, 'cross_origin', methods, ['/', ...forms]);
	});

	test.each(['cross-site', 'same-site'])(
		'it responds to %s links, but not to forms',
		async (site) => {
			const headers = { 'sec-fetch-site': site };
			expect((await call(addressOf('/'), headers)).status).toBe(200);
			await expectRefusals(headers, 'cross_origin', ['POST', 'DELETE'], forms);
		},
	);

	test('it responds to the forms of its own pages', async () => {
		const own = { origin: url(), 'sec-fetch-site': 'same-origin' };
		expect((await call(addressOf(forms[0] ?? ''), own, 'POST')).status).toBe(303);
		expect(await kept()).not.toEqual(before);
	});
});

describe('the service with --address', () => {
	const told = useService({ args: ['--address', 'Front.example:8080'] });

	test('responds at that address, too', async () => {
		const { status, body } = await call(`${told.url()}/`, { host: 'front.example:8080' });
		expect({ status, body }).toEqual({
			status: 200,
			body: containing('http://front.example:8080'),
		});
		expect((await call(`${told.url()}/`, { host: 'front.example' })).status).toBe(403);
	});
});
