import { brotliCompressSync, gzipSync } from 'node:zlib';
import { CREDENTIAL } from './support/credential.mts';
import { expectNoSecrets, runAction, runError, runOk } from './support/engine.mts';
import { by, json, text, type Answer } from './support/faultServer.mts';
import { BOTH, CREATE } from './support/operations.mts';
import { useVirtualTime } from './support/virtualTime.mts';

useVirtualTime();

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
});

describe('a refusal', () => {
	test.each<[string, number, unknown, string]>([
		['a message', 400, { message: 'templateId is missing.' }, 'templateId is missing.'],
		['nested', 422, { error: { message: 'Bad email.' } }, 'Bad email.'],
		['a list', 422, { errors: [{ message: 'one' }, { message: 'two' }] }, 'one; two'],
	])('%s: the service is quoted once, with the status', async (_title, status, body, quoted) => {
		const error = await runError({ parameters: CREATE, answer: json(status, body) });
		const message = `The service refused the request (HTTP ${status})`;
		expect(error).toMatchObject({ message, httpCode: String(status), sent: 1 });
		expect(error.description?.split(quoted)).toHaveLength(2);
	});

	test('HTML is not quoted', async () => {
		const answer = text(400, '<html>no</html>', { 'content-type': 'text/html' });
		const error = await runError({ parameters: CREATE, answer });
		expect(error.message).toBe('The service refused the request (HTTP 400)');
		expect(error.description).not.toContain('<');
	});
});

const echo = (status: number) =>
	by(({ headers, body }) => json(status, { message: JSON.stringify({ headers, body }) }));

describe.each(BOTH)('request headers that the service echoes after a %s', (_name, operation) => {
	const { parameters } = operation;

	test.each([400, 401, 404, 422, 500])(
		'reach neither error nor run data (HTTP %i)',
		async (status) => {
			const hook = { notify: 'trigger', webhookUrl: 'https://n8n.example.com/webhook/1/webhook' };
			const sent = { parameters: { ...parameters, ...hook }, answer: echo(status) };
			const { error, run, requests } = await runAction(sent);
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

	test('reach no item either', async () => {
		const answer = by(({ headers }) => json(200, { _id: '1', headers }));
		const { item, run } = await runOk({ parameters, answer });
		expect(item).toHaveProperty('headers.user-agent');
		expect(item).not.toHaveProperty('headers.authorization');
		expect(item).not.toHaveProperty('headers.tokenid');
		expectNoSecrets(run);
	});
});
