import { gzipSync } from 'node:zlib';
import { CREDENTIAL } from './support/storedCredential.mts';
import { expectNoSecrets, runAction, runError, runOk } from './support/engine.mts';
import { by, json, text, type Answer } from './support/faultServer.mts';
import { BOTH, CREATE } from './support/operations.mts';

const body = Buffer.from(JSON.stringify({ _id: '1', __v: 2, text: 'Zürich 東京' }));
const inChunks: Answer = (response) => {
	response.write(body.subarray(0, 25));
	setImmediate(() => response.end(body.subarray(25)));
};

test.each<[string, Answer]>([
	['with 202', text(202, body)],
	['compressed', text(200, gzipSync(body), { 'content-encoding': 'gzip' })],
	['in chunks that part a character', inChunks],
	['as another content type', text(200, body, { 'content-type': 'text/plain' })],
])('any object with a text _id is a usable response, also %s', async (_title, answer) => {
	for (const [, { parameters }] of BOTH) {
		const { item, sent } = await runOk({ parameters, answer });
		expect([item, sent]).toMatchObject([{ __v: 2, text: 'Zürich 東京' }, 1]);
	}
});

test('what the service says to a refusal is quoted once, with the status', async () => {
	const answer = json(422, { error: { message: 'Bad email.' } });
	const error = await runError({ parameters: CREATE, answer });
	const message = 'The service refused the request (HTTP 422)';
	expect(error).toMatchObject({ message, httpCode: '422', sent: 1 });
	expect(error.description?.split('Bad email.')).toHaveLength(2);
});

const echo = (status: number) =>
	by(({ headers, body: sent }) => json(status, { message: JSON.stringify({ headers, sent }) }));

describe.each(BOTH)('request headers that the service echoes after a %s', (_name, operation) => {
	const { parameters } = operation;

	test.each([401, 422, 500])('reach neither error nor run data (HTTP %i)', async (status) => {
		const hook = { notify: 'trigger', webhookUrl: 'https://n8n.example.com/webhook/1/webhook' };
		const sent = { parameters: { ...parameters, ...hook }, answer: echo(status) };
		const { error, run, requests } = await runAction(sent);
		expect(JSON.stringify(requests)).toContain(CREDENTIAL.apiKey);
		expect(error).toBeDefined();
		expectNoSecrets(run);
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
