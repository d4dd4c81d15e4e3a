import type { INodeParameters } from 'n8n-workflow';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { CREDENTIAL } from './support/credential.mts';
import { expectNoSecrets, runAction, runError, runOk } from './support/engine.mts';
import type { Answer } from './support/faultServer.mts';
import { by, json, text } from './support/faultServer.mts';
import { matching } from '../support/matchers.mts';
import { BOTH, CREATE, MAY_EXIST, READ } from './support/operations.mts';
import { useVirtualTime } from './support/virtualTime.mts';

useVirtualTime();

const HTML = { 'content-type': 'text/html' };

/** The error of one item, and how many requests the service received for it. */
async function errorOf(parameters: INodeParameters, answer: Answer) {
	const error = await runError({ parameters, answer });
	expect(error).toMatchObject({ name: 'NodeApiError', itemIndex: 0 });
	return error;
}

describe.each(BOTH)('a usable answer to a %s', (_name, { parameters }) => {
	test.each([200, 201, 202])('is any object with a text _id, here with %i', async (status) => {
		const answer = json(status, { _id: '1', __v: 2 });
		const { item, sent } = await runOk({ parameters, answer });
		expect([item, sent]).toMatchObject([{ _id: '1', __v: 2 }, 1]);
	});

	const body = Buffer.from(JSON.stringify({ _id: '1', text: 'Zürich 東京' }));
	const inChunks: Answer = (response) => {
		response.write(body.subarray(0, 25));
		setImmediate(() => response.end(body.subarray(25)));
	};
	test.each<[string, Answer]>([
		['gzip', text(200, gzipSync(body), { 'content-encoding': 'gzip' })],
		['brotli', text(200, brotliCompressSync(body), { 'content-encoding': 'br' })],
		['in chunks', inChunks],
		['of another content type', text(200, body, { 'content-type': 'text/plain' })],
	])('may come %s', async (_title, answer) => {
		expect((await runOk({ parameters, answer })).item).toMatchObject({ text: 'Zürich 東京' });
	});

	test('loses precision beyond 2^53 and nothing else', async () => {
		const answer = text(200, '{"_id":"1","__v":9007199254740993}');
		expect((await runOk({ parameters, answer })).item).toMatchObject({ __v: 9007199254740992 });
	});
});

describe('a 2xx without a resource in it', () => {
	test.each<[string, Answer]>([
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
	])('%s is an error, and may be a success for a create, which says so', async (_title, answer) => {
		const message = /^The service sent an unexpected response without an ID \(HTTP 20/;
		const read = await errorOf(READ, answer);
		expect(read).toMatchObject({ message: matching(message), sent: 1 });
		expect(read.message).not.toContain(MAY_EXIST);
		expect(await errorOf(CREATE, answer)).toMatchObject({
			message: matching(new RegExp(MAY_EXIST)),
			description: matching(/^Check whether it was created before you run this again/),
			sent: 1,
		});
	});

	test.each(BOTH)('a web page after a %s is named and not quoted', async (_name, operation) => {
		const page = '<!doctype html><title>Log in</title><p>secret page</p>';
		const { parameters } = operation;
		const { error, run, sent } = await runAction({ parameters, answer: text(200, page, HTML) });
		expect(error?.message).toMatch(/^The service responded with a web page instead of data/);
		expect(JSON.stringify(run)).not.toContain('secret page');
		expect(sent).toBe(1);
	});
});

describe('a refusal', () => {
	test.each<[string, number, unknown, string]>([
		['a message', 400, { message: 'templateId is missing.' }, 'templateId is missing.'],
		['nested', 422, { error: { message: 'Bad email.' } }, 'Bad email.'],
		['a list', 422, { errors: [{ message: 'one' }, { message: 'two' }] }, 'one; two'],
	])('%s: the service is quoted once, with the status', async (_title, status, body, quoted) => {
		const error = await errorOf(CREATE, json(status, body));
		const message = `The service refused the request (HTTP ${status})`;
		expect(error).toMatchObject({ message, httpCode: String(status), sent: 1 });
		expect(error.description?.split(quoted)).toHaveLength(2);
	});

	test('HTML is not quoted', async () => {
		const error = await errorOf(CREATE, text(400, '<html>no</html>', HTML));
		expect(error.message).toBe('The service refused the request (HTTP 400)');
		expect(error.description).not.toContain('<');
	});

	test.each(BOTH)(
		'401 of a %s: asked once, and the credential is named',
		async (_name, operation) => {
			expect(await errorOf(operation.parameters, json(401, {}))).toMatchObject({
				message: 'The API key or the token ID was refused (HTTP 401)',
				description: matching(/in the credential/),
				httpCode: '401',
				sent: 1,
			});
		},
	);

	test('403, 404, 409 and 410 have messages of their own and are not tried again', async () => {
		const messages = new Set<string>();
		for (const status of [403, 404, 409, 410]) {
			const { message, ...error } = await errorOf(READ, json(status, {}));
			// One that is not found is looked for among the shares, too.
			const sent = status === 404 ? 2 : 1;
			expect(error).toMatchObject({ httpCode: String(status), sent });
			messages.add(message.replace(String(status), ''));
		}
		expect(messages.size).toBe(4);
	});
});

describe.each(BOTH)('request headers that the service echoes after a %s', (_name, operation) => {
	const { parameters } = operation;
	const echo = (status: number) =>
		by(({ headers, body }) => json(status, { message: JSON.stringify({ headers, body }) }));

	test.each([400, 401, 404, 422, 500])(
		'reach neither error nor run data (HTTP %i)',
		async (status) => {
			const webhook = {
				notify: 'trigger',
				webhookUrl: 'https://n8n.example.com/webhook/1/webhook',
			};
			const { error, run, requests } = await runAction({
				parameters: { ...parameters, ...webhook },
				answer: echo(status),
			});
			expect(JSON.stringify(requests)).toContain(CREDENTIAL.apiKey);
			expect(error).toBeDefined();
			expectNoSecrets(run);
		},
	);

	test('are hidden even when the key was pasted with spaces around it', async () => {
		const credential = { apiKey: ' padded-api-key  ', tokenId: ' padded-token-id ' };
		const { error, run } = await runAction({ parameters, credential, answer: echo(422) });
		expect(error?.description).toContain('(hidden)');
		expectNoSecrets(run, ['padded-api-key', 'padded-token-id']);
	});

	const apiKey = 'key/"with" <signs> & spaces';
	const forms = [
		encodeURIComponent(apiKey),
		JSON.stringify(apiKey).slice(1, -1),
		'key/&quot;with&quot; &lt;signs&gt; &amp; spaces',
		Buffer.from(apiKey).toString('base64'),
		'9876543210',
	];
	test.each<[number, object]>([
		[422, { message: forms.join(', ') }],
		[200, { _id: '1', forms, number: 9876543210, [forms[0] ?? '']: 1 }],
	])(
		'are hidden in every form in which a service may echo them (HTTP %i)',
		async (status, body) => {
			const credential = { apiKey, tokenId: '9876543210' };
			const answer = json(status, body);
			const { run, error, items } = await runAction({ parameters, credential, answer });
			expect(JSON.stringify(error?.description ?? items)).toContain('(hidden)');
			expectNoSecrets(run, [...forms, apiKey]);
		},
	);

	test('reach no item either', async () => {
		const answer = by(({ headers }) => json(200, { _id: '1', headers }));
		const { item, run } = await runOk({ parameters, answer });
		expect(item).toHaveProperty('headers.user-agent');
		expect(item).not.toHaveProperty('headers.authorization');
		expect(item).not.toHaveProperty('headers.tokenid');
		expectNoSecrets(run);
	});
});
