import type { INodeParameters } from 'n8n-workflow';
import { gzipSync } from 'node:zlib';
import { containing } from '../support/matchers.mts';
import { CREDENTIAL } from './support/storedCredential.mts';
import { runAction, runError, runOk } from './support/engine.mts';
import { by, json, startFaultServer, text, type Answer } from './support/faultServer.mts';

const operations: Array<[string, INodeParameters]> = [
	['Get', { resource: 'collectionRequest', operation: 'get', requestId: '1' }],
	['Create', { resource: 'collectionRequest', operation: 'create', templateId: 't1' }],
];

describe.each(operations)('a response to %s', (_name, parameters) => {
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
	])('is usable %s', async (_title, answer) => {
		const { item, sent } = await runOk({ parameters, answer });
		expect([item, sent]).toMatchObject([{ __v: 2, text: 'Zürich 東京' }, 1]);
	});

	// Of each execution, the helper looks for secrets in all that n8n stores.
	test('that repeats the headers and the body of the request brings no secret into an error', async () => {
		const { url } = await startFaultServer(json(200, {}));
		const hook = { notify: 'trigger', webhookUrl: `${url}/webhook/1/webhook` };
		const answer = by(({ headers, body: sent }) =>
			json(422, { message: JSON.stringify({ headers, sent }) }),
		);
		const run = await runAction({ parameters: { ...parameters, ...hook }, answer });
		expect(JSON.stringify(run.requests)).toContain(CREDENTIAL.apiKey);
		expect(run.error?.description).toContain('user-agent');
	});

	test('that repeats the headers of the request brings no secret into an item', async () => {
		const answer = by(({ headers }) => json(200, { _id: '1', headers }));
		const { item } = await runOk({ parameters, answer });
		expect(item).toHaveProperty('headers.user-agent');
		expect(item).not.toHaveProperty('headers.authorization');
		expect(item).not.toHaveProperty('headers.tokenid');
	});

	test('that refuses it is quoted once, with the status', async () => {
		const answer = json(422, { error: { message: 'Bad email.' } });
		const error = await runError({ parameters, answer });
		expect(error).toMatchObject({ message: containing('(HTTP 422)'), httpCode: '422', sent: 1 });
		expect(error.description?.split('Bad email.')).toHaveLength(2);
	});
});
