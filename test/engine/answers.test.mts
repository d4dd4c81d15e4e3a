import { brotliCompressSync, gzipSync } from 'node:zlib';
import { CREDENTIAL } from './support/credential.mts';
import { expectNoSecrets, runAction, runError, runOk } from './support/engine.mts';
import type { Answer } from './support/faultServer.mts';
import { json, text, withFaultServer } from './support/faultServer.mts';
import type { OperationName } from './support/operations.mts';
import { actionAt, BOTH } from './support/operations.mts';
import { useVirtualTime } from './support/virtualTime.mts';

useVirtualTime();

const MAY_EXIST = 'The collection request may exist all the same';

/** The error of one item, and how many requests the service received for it. */
async function errorOf(operation: OperationName, answer: Answer) {
	return await withFaultServer(answer, async ({ url, requests }) => {
		const error = await runError(actionAt(operation, url));
		expect(error).toMatchObject({ name: 'NodeApiError', itemIndex: 0 });
		return { ...error, count: requests.length };
	});
}

describe.each(BOTH)('a usable answer to a %s', (operation) => {
	test.each([200, 201, 202])('is any object with a text _id, here with %i', async (status) => {
		await withFaultServer(json(status, { _id: '1', __v: 2 }), async ({ url, requests }) => {
			expect(await runOk(actionAt(operation, url))).toMatchObject({ _id: '1', __v: 2 });
			expect(requests).toHaveLength(1);
		});
	});

	const body = JSON.stringify({ _id: '1', text: 'Zürich 東京' });
	test.each<[string, Answer]>([
		[
			'gzip',
			(response) =>
				response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.from(body))),
		],
		[
			'brotli',
			(response) => {
				response.writeHead(200, { 'content-encoding': 'br' });
				response.end(brotliCompressSync(Buffer.from(body)));
			},
		],
		[
			'in chunks',
			(response) => {
				const bytes = Buffer.from(body);
				response.write(bytes.subarray(0, 25));
				setImmediate(() => response.end(bytes.subarray(25)));
			},
		],
		['of another content type', text(200, body, 'text/plain')],
	])('may come %s', async (_title, answer) => {
		await withFaultServer(answer, async ({ url }) => {
			expect(await runOk(actionAt(operation, url))).toMatchObject({ text: 'Zürich 東京' });
		});
	});

	test('loses precision beyond 2^53 and nothing else', async () => {
		await withFaultServer(text(200, '{"_id":"1","__v":9007199254740993}'), async ({ url }) => {
			expect(await runOk(actionAt(operation, url))).toMatchObject({ __v: 9007199254740992 });
		});
	});
});

describe('a 2xx without a resource in it', () => {
	const rows: Array<[string, Answer]> = [
		['204', (response) => response.writeHead(204).end()],
		['200 without a body', text(200, '')],
		['null', json(200, null)],
		['a list', json(200, [{ _id: '1' }])],
		['a text', json(200, 'x')],
		['cut-off JSON', text(200, '{"_id":"1","title":"x')],
		['no _id', json(200, { title: 'x' })],
		['a numeric _id', json(200, { _id: 1 })],
		['an empty _id', json(200, { _id: '' })],
		['_id only as inherited name', text(200, '{"__proto__":{"_id":"1"}}')],
		['nested too deeply', text(200, `{"_id":"1","a":${'['.repeat(1e4)}${']'.repeat(1e4)}}`)],
	];

	test.each(rows)('%s is an error for a read', async (_title, answer) => {
		const error = await errorOf('read', answer);
		expect(error.message).toMatch(
			/^The service sent an unexpected response without an ID \(HTTP 20/,
		);
		expect(error.message).not.toContain(MAY_EXIST);
		expect(error.count).toBe(1);
	});

	test.each(rows)('%s may be a success for a create, which says so', async (_title, answer) => {
		const error = await errorOf('create', answer);
		expect(error.message).toContain(MAY_EXIST);
		expect(error.description).toMatch(/^Check whether it was created before you run this again/);
		expect(error.count).toBe(1);
	});

	test.each(BOTH)('a web page after a %s is named and not quoted', async (operation) => {
		const page = '<!doctype html><title>Log in</title><p>secret page</p>';
		await withFaultServer(text(200, page, 'text/html'), async ({ url, requests }) => {
			const { error, run } = await runAction(actionAt(operation, url));
			expect(error?.message).toMatch(/^The service responded with a web page instead of data/);
			expect(JSON.stringify(run)).not.toContain('secret page');
			expect(requests).toHaveLength(1);
		});
	});
});

describe('a refusal', () => {
	test.each<[string, number, unknown, string]>([
		['a message', 400, { message: 'templateId is missing.' }, 'templateId is missing.'],
		['nested', 422, { error: { message: 'Bad email.' } }, 'Bad email.'],
		['a list', 422, { errors: [{ message: 'one' }, { message: 'two' }] }, 'one; two'],
	])('%s: the service is quoted once, with the status', async (_title, status, body, quoted) => {
		const error = await errorOf('create', json(status, body));
		expect(error.count).toBe(1);
		expect(error.httpCode).toBe(String(status));
		expect(error.message).toBe(`The service refused the request (HTTP ${status})`);
		expect(error.description?.split(quoted)).toHaveLength(2);
	});

	test('HTML is not quoted', async () => {
		const error = await errorOf('create', text(400, '<html>no</html>', 'text/html'));
		expect(error.message).toBe('The service refused the request (HTTP 400)');
		expect(error.description).not.toContain('<');
	});

	test.each(BOTH)('401 of a %s: asked once, and the credential is named', async (operation) => {
		const error = await errorOf(operation, json(401, {}));
		expect(error.count).toBe(1);
		expect(error.httpCode).toBe('401');
		expect(error.message).toBe('The API key or the token ID was refused (HTTP 401)');
		expect(error.description).toContain('in the credential');
	});

	test('403, 404, 409 and 410 have messages of their own and are not tried again', async () => {
		const messages = new Set<string>();
		for (const status of [403, 404, 409, 410]) {
			const error = await errorOf('read', json(status, {}));
			// One that is not found is looked for among the shares, too.
			expect(error.count).toBe(status === 404 ? 2 : 1);
			expect(error.httpCode).toBe(String(status));
			messages.add(error.message.replace(String(status), ''));
		}
		expect(messages.size).toBe(4);
	});

	test.each([500, 502, 503, 504, 408])(
		'%i leaves a create in doubt; it is sent once',
		async (status) => {
			for (const answer of [json(status, { message: 'x' }), text(status, '<html>', 'text/html')]) {
				const error = await errorOf('create', answer);
				expect(error.count).toBe(1);
				expect(error.httpCode).toBe(String(status));
				const what =
					status === 500
						? 'Something went wrong inside the service'
						: 'The service is not able to respond at the moment';
				expect(error.message).toBe(`${what} (HTTP ${status}). ${MAY_EXIST}`);
			}
		},
	);
});

describe.each(BOTH)('request headers that the service echoes after a %s', (operation) => {
	const echo =
		(status: number): Answer =>
		(response, { headers, body }, index) =>
			json(status, { message: JSON.stringify({ headers, body }) })(
				response,
				{ method: '', url: '', headers, body },
				index,
			);

	test.each([400, 401, 404, 422, 500])(
		'reach neither error nor run data (HTTP %i)',
		async (status) => {
			await withFaultServer(echo(status), async ({ url, requests }) => {
				const run = await runAction(
					actionAt(operation, url, {
						notify: 'trigger',
						webhookUrl: 'https://n8n.example.com/webhook/1/webhook',
					}),
				);
				expect(JSON.stringify(requests)).toContain(CREDENTIAL.apiKey);
				expect(run.error).toBeDefined();
				expectNoSecrets(run.run);
			});
		},
	);

	test('are hidden even when the key was pasted with spaces around it', async () => {
		await withFaultServer(echo(422), async ({ url }) => {
			const credential = { apiKey: ' padded-api-key  ', tokenId: ' padded-token-id ' };
			const { error, run } = await runAction(actionAt(operation, url, { credential }));
			expect(error?.description).toContain('(hidden)');
			expectNoSecrets(run, ['padded-api-key', 'padded-token-id']);
		});
	});

	test('are hidden in every form in which a service may echo them', async () => {
		const credential = { apiKey: 'key/"with" <signs> & spaces', tokenId: '9876543210' };
		const { apiKey } = credential;
		const forms = [
			encodeURIComponent(apiKey),
			JSON.stringify(apiKey).slice(1, -1),
			'key/&quot;with&quot; &lt;signs&gt; &amp; spaces',
			Buffer.from(apiKey).toString('base64'),
			'9876543210',
		];
		const echoes: Array<[number, unknown]> = [
			[422, { message: forms.join(', ') }],
			[200, { _id: '1', forms, number: 9876543210, [forms[0] ?? '']: 1 }],
		];
		for (const [status, body] of echoes) {
			await withFaultServer(json(status, body), async ({ url }) => {
				const { run, error, items } = await runAction(actionAt(operation, url, { credential }));
				expect(JSON.stringify(error?.description ?? items)).toContain('(hidden)');
				expectNoSecrets(run, [...forms, apiKey]);
			});
		}
	});

	test('reach no item either', async () => {
		await withFaultServer(
			(response, { headers }, index) =>
				json(200, { _id: '1', headers })(
					response,
					{ method: '', url: '', headers, body: '' },
					index,
				),
			async ({ url }) => {
				const { run, json: items } = await runAction(actionAt(operation, url));
				expect(items[0]).toHaveProperty('headers.user-agent');
				expect(items[0]).not.toHaveProperty('headers.authorization');
				expect(items[0]).not.toHaveProperty('headers.tokenid');
				expectNoSecrets(run);
			},
		);
	});
});
