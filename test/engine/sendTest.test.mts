import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CREDENTIAL } from './support/credential.mts';
import { sign } from './support/delivery.mts';
import { expectNoSecrets, runAction, runError, runOk } from './support/engine.mts';
import type { Answer } from './support/faultServer.mts';
import { json, startFaultServer, text, withFaultServer } from './support/faultServer.mts';
import { matching, textOf } from './support/matchers.mts';
import { startTriggerHost } from './support/triggerHost.mts';
import { useVirtualTime } from './support/virtualTime.mts';

const SEND_TEST = { resource: 'notification', operation: 'sendTest', requestId: 'r1' };

const to = (webhookUrl: string, more: INodeParameters = {}) => ({
	parameters: { ...SEND_TEST, webhookUrl, ...more },
});

test('sends one delivery with the five headers of the service, signed with the webhook secret', async () => {
	await withFaultServer(json(200, { status: 'accepted' }), async ({ url, requests }) => {
		const webhookUrl = `${url}/webhook-test/1/webhook?a=b`;
		const item = await runOk(to(webhookUrl, { webhookIdentifier: 'onboarding' }));
		expect(requests).toHaveLength(1);
		const [{ method, url: path, headers, body } = failed()] = requests;
		expect([method, path]).toEqual(['POST', '/webhook-test/1/webhook?a=b']);
		const timestamp = textOf(headers['x-svc-timestamp']);
		expect(Math.abs(Date.now() - Number(timestamp))).toBeLessThan(60_000);
		expect(JSON.parse(body)).toEqual({
			event: 'collection_request.updated',
			requestId: 'r1',
			shareStatus: 'completed',
			webhookIdentifier: 'onboarding',
			timestamp,
		});
		expect(headers).toMatchObject({
			'content-type': 'application/json',
			'user-agent': 'svc-webhooks/1.0',
			'x-svc-event': 'collection_request.updated',
			'x-svc-delivery-id': item.deliveryId,
			'x-svc-signature': sign(body, timestamp),
		});
		expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['authorization', 'tokenid']));
	});
});

test('gives the status and the response, then what was sent', async () => {
	await withFaultServer(json(200, { status: 'accepted' }), async ({ url }) => {
		const item = await runOk(to(url, { shareStatus: 'open' }));
		expect(item).toEqual({
			statusCode: 200,
			response: { status: 'accepted' },
			deliveryId: matching(/^[0-9a-f-]{36}$/),
			event: 'collection_request.updated',
			requestId: 'r1',
			shareStatus: 'open',
			timestamp: matching(/^\d{13}$/),
		});
	});
});

test('a trigger accepts it, and makes the item of it that a real notification makes', async () => {
	const host = await startTriggerHost({ parameters: { triggerOn: 'completed' } });
	try {
		const forward = async (headers: Record<string, string>, body: string) =>
			await host.post({ headers, body: Buffer.from(body) });
		const receiver = await startFaultServer((response, { headers, body }) => {
			const sent = headers as Record<string, string>;
			void forward(sent, body).then(({ status, text: said }) => {
				response.writeHead(status, { 'content-type': 'application/json' }).end(said);
			});
		});
		const item = await runOk(to(receiver.url, { webhookIdentifier: 'w1' }));
		await receiver.stop();
		expect(item).toMatchObject({ statusCode: 200, response: { status: 'accepted' } });
		expect(host.started).toMatchObject([
			{
				event: 'collection_request.updated',
				requestId: 'r1',
				shareStatus: 'completed',
				webhookIdentifier: 'w1',
				deliveryId: item.deliveryId,
			},
		]);
	} finally {
		await host.stop();
	}
});

test('a guest link is taken as Request ID', async () => {
	await withFaultServer(json(200, {}), async ({ url }) => {
		const requestId = `${CREDENTIAL.productionCollectUrl}/request/r%202?x=1`;
		expect(await runOk(to(url, { requestId }))).toMatchObject({ requestId: 'r 2' });
	});
});

describe('a response other than 2xx is data', () => {
	test.each([
		[401, { status: 'unverified' }, /webhook secret/],
		[404, { message: 'not registered' }, /listens.*published/],
		[500, { message: 'Error' }, undefined],
	])('%i', async (status, body, hint) => {
		await withFaultServer(json(status, body), async ({ url }) => {
			const { json: items, task, run } = await runAction(to(url));
			expect(items).toMatchObject([{ statusCode: status, response: body }]);
			const hints = (task?.hints ?? []).map(({ message }) => message);
			expect(hints).toEqual(hint ? [matching(hint)] : []);
			expectNoSecrets(run);
		});
	});

	test('a text, nothing, and more than 64 KiB', async () => {
		const responses: Array<[string, unknown]> = [
			['Workflow was started', 'Workflow was started'],
			['', ''],
			['x'.repeat(65 * 1024), null],
		];
		for (const [said, response] of responses) {
			await withFaultServer(text(200, said, 'text/plain'), async ({ url }) => {
				expect(await runOk(to(url))).toMatchObject({ statusCode: 200, response });
			});
		}
	});

	test.each<[string, Answer, unknown]>([
		['no content', (response) => response.writeHead(204).end(), ''],
		['early hints', earlyHints, 'later'],
		['bytes that are no text', text(200, '\u0000\u0007', 'image/png'), '\u0000\u0007'],
		['JSON of 190 levels', json(200, nested(190)), nested(190)],
		['JSON of 210 levels', json(200, nested(210)), null],
		['JSON of 30,000 levels', text(200, '['.repeat(30_000) + ']'.repeat(30_000)), null],
		['a few bytes that unpack to 100 MB', packed(Buffer.alloc(100_000_000)), null],
		['a text that never ends', endless, null],
		['harmful names', text(200, '{"__proto__":{"a":1},"constructor":1,"b":2}'), { b: 2 }],
	])('%s', async (_title, answer, response) => {
		await withFaultServer(answer, async ({ url, requests }) => {
			const { json: items, run } = await runAction(to(url));
			expect(items).toMatchObject([{ response }]);
			expect(requests).toHaveLength(1);
			expectNoSecrets(run);
		});
	});

	test('an error field, which is no reason for Retry On Fail to send again', async () => {
		const run = { settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } };
		await withFaultServer(json(500, { error: 'x' }), async ({ url, requests }) => {
			const { json: items } = await runAction({ ...to(url), ...run });
			expect(items).toMatchObject([{ statusCode: 500, response: { error: 'x' } }]);
			expect(requests).toHaveLength(1);
		});
	});

	test('a redirect, which is not followed', async () => {
		await withFaultServer(json(200, {}), async (elsewhere) => {
			const location = { location: `${elsewhere.url}/there` };
			await withFaultServer(json(307, {}, location), async ({ url }) => {
				expect(await runOk(to(url))).toMatchObject({ statusCode: 307 });
			});
			expect(elsewhere.requests).toEqual([]);
		});
	});

	test('what it repeats of the credential is hidden', async () => {
		const body = { said: CREDENTIAL.webhookSecret, webhookSecret: 'x', tokenId: 'y' };
		await withFaultServer(json(200, body), async ({ url }) => {
			const { json: items, run } = await runAction(to(url));
			expect(items).toMatchObject([{ response: { said: '(hidden)' } }]);
			expectNoSecrets(run);
		});
	});
});

describe('no response is an error that says what to check', () => {
	test('nobody listens', async () => {
		const server = await startFaultServer(json(200, {}));
		await server.stop();
		expect(await runError(to(server.url))).toMatchObject({
			message: 'The webhook URL could not be reached',
			description: matching(/container.*ECONNREFUSED/),
		});
	});

	test('the connection breaks off', async () => {
		await withFaultServer(
			(response) => response.destroy(),
			async ({ url, requests }) => {
				const { message } = await runError(to(url));
				expect(message).toBe('The webhook URL could not be reached');
				expect(requests).toHaveLength(1);
			},
		);
	});
});

describe('no whole response within 5 seconds is an error', () => {
	const time = useVirtualTime();
	const nothing: Answer = () => {};
	const trickle: Answer = (response) => {
		response.writeHead(200);
		response.write('{');
	};

	test.each([
		['nothing', nothing],
		['a body that trickles', trickle],
	])('%s', async (_title, begin) => {
		const answer: Answer = (...received) => {
			begin(...received);
			setImmediate(() => time.advance(5_000));
		};
		await withFaultServer(answer, async ({ url, requests }) => {
			expect((await runError(to(url))).message).toBe(
				'The webhook URL did not respond within 5 seconds',
			);
			expect(requests).toHaveLength(1);
		});
	});
});

describe('refused before anything is sent', () => {
	const cases: Array<[string, INodeParameters, IDataObject, RegExp]> = [
		['no URL', { webhookUrl: '={{ "" }}' }, {}, /Webhook URL is not an absolute/],
		['another protocol', { webhookUrl: 'ftp://x' }, {}, /Webhook URL is not an absolute/],
		['no request ID', { requestId: '={{ "" }}' }, {}, /Request ID is empty/],
		['no webhook secret', {}, { webhookSecret: '' }, /no webhook secret: enter one/],
		['a lost secret', {}, { webhookSecret: '__n8n_BLANK_VALUE_e5' }, /secret was lost/],
	];

	test.each(cases)('%s', async (_title, parameters, credential, message) => {
		await withFaultServer(json(200, {}), async ({ url, requests }) => {
			const run = { ...to(url, parameters), credential: credential as never };
			expect((await runError(run)).message).toMatch(message);
			expect(requests).toEqual([]);
		});
	});
});

test('Stop ends it at once, with its connections, and sends nothing for further items', async () => {
	let stop = () => {};
	const closed: Array<Promise<unknown>> = [];
	const answer: Answer = (response) => {
		closed.push(once(response, 'close'));
		stop();
	};
	await withFaultServer(answer, async ({ url, requests }) => {
		await runAction({
			...to(url),
			input: Array.from({ length: 20 }, () => ({})),
			settings: { onError: 'continueRegularOutput' },
			onStart: (cancel) => (stop = cancel),
		});
		await Promise.all(closed);
		// Five are under way at once.
		expect(requests.length).toBeLessThanOrEqual(5);
	});
});

test('what stands in the URL besides the address is sent as the service would, and not shown', async () => {
	await withFaultServer(json(200, {}), async ({ url, requests }) => {
		const withUser = `${url.replace('//', '//user:pass-of-the-url@')}/a\n b?c=ü#fragment`;
		const { run } = await runAction({ ...to(`={{ ${JSON.stringify(withUser)} }}`) });
		expect(requests).toMatchObject([{ url: '/a%20b?c=%C3%BC' }]);
		expectNoSecrets(run, ['Basic ']);
	});
});

/** Lists inside one another. */
function nested(levels: number): unknown {
	return levels === 0 ? 'x' : [nested(levels - 1)];
}

function packed(content: Buffer): Answer {
	const bytes = gzipSync(content);
	return (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes);
}

function earlyHints(response: ServerResponse): void {
	response.writeEarlyHints({ link: '</a>; rel=preload' });
	response.end('later');
}

/** Sends as fast as it is read, until the connection is closed. */
function endless(response: ServerResponse): void {
	const send = () => {
		while (!response.destroyed && response.write('x'.repeat(16_384)));
	};
	response.on('drain', send);
	send();
}

function failed(): never {
	throw new Error('Nothing was sent');
}
