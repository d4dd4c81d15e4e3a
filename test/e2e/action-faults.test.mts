import assert from 'node:assert/strict';
import { failureOf, outputOf, type Credential, type Json } from '../../sandbox/n8n/types.mts';
import { createCredential, newSecret } from '../support/credential.mts';
import { openRest } from '../support/environment.mts';
import { finished } from '../support/executions.mts';
import { openFront, type FrontCall, type Front } from '../support/front.mts';
import { createEach, indexes, nodeName, runNode, startNode } from '../support/runNode.mts';
import { until } from '../support/until.mts';

const templateOf = ({ body }: FrontCall) => String(body.templateId);
const no = (status: number, headers = {}) => ({ status, body: { message: 'no' }, headers });

describe('when the service fails, as n8n shows it', () => {
	const rest = openRest();
	let front: Front;
	let credential: Credential;
	const secret = newSecret();
	beforeAll(async () => {
		front = await openFront();
		const fields = { productionBaseUrl: front.url, webhookSecret: secret };
		credential = await createCredential(rest, 'E2E action faults', fields);
	});
	afterAll(() => front.close());
	const with5 = (name: string, settings: Json = {}, options: Json = {}) => ({
		...{ rest, credential, name: `E2E ${name}`, items: indexes(5), settings },
		parameters: { ...createEach, options },
	});
	const reset = (decide: Front['decide']) => {
		front.seen.length = 0;
		front.decide = decide;
		front.before = undefined;
	};

	/** What is refused before the others have started keeps them from starting. */
	const allUnderWay = async (concurrency: number) =>
		await until('all of this try are under way', () =>
			Promise.resolve(front.seen.length % concurrency === 0 ? true : undefined),
		);

	test('S10 401: one request, and the message names the credential', async () => {
		for (const operation of ['create', 'get']) {
			reset(() => no(401));
			const parameters = { ...createEach, operation, requestId: 'r1' };
			const name = `E2E S10 ${operation}`;
			const execution = await runNode({ rest, name, credential, parameters });
			assert.equal(execution.status, 'error');
			assert.equal(front.seen.length, 1, operation);
			const text = String(failureOf(execution));
			assert.match(text, /^The API key or the token ID was refused \(HTTP 401\)/);
			assert.match(text, /Check API Key, Token ID and Environment \(production\)/);
			assert.doesNotMatch(text, /may exist/);
		}
	});

	test('S30 Continue On Fail: the failed item says why, the others are created once', async () => {
		reset((call) => (templateOf(call) === 'template-2' ? no(422) : undefined));
		const execution = await runNode(with5('S30', { onError: 'continueRegularOutput' }));
		assert.equal(execution.status, 'success');
		assert.equal(front.seen.length, 5);
		const items = outputOf(execution, nodeName);
		assert.deepEqual(
			items.map((item) => 'error' in item),
			[false, false, true, false, false],
		);
		assert.match(String(items[2]?.error), /refused the request \(HTTP 422\)/);
	});

	/** What is sent with one item at a time, and with all five under way at once. */
	const sent: Array<[concurrency: number, templates: string, created: number]> = [
		[1, '012', 2],
		[5, '01234', 4],
	];
	for (const [concurrency, templates, created] of sent) {
		test(`S31 Retry On Fail, ${concurrency} at once: nothing is created again, nor what may exist`, async () => {
			reset((call) => (templateOf(call) === 'template-2' ? no(500) : undefined));
			front.before = async (_call, { status }) =>
				status !== 500 || (await allUnderWay(concurrency));
			const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
			const execution = await runNode(with5('S31', settings, { concurrency }));
			assert.equal(execution.status, 'error');
			const digits = front.seen.map((call) => templateOf(call).slice(-1));
			assert.equal(digits.sort().join(''), templates);
			const text = String(failureOf(execution));
			assert.match(text, /The collection request may exist all the same/);
			assert.ok(text.includes(`Before this, ${created} collection requests were created`), text);
		});
	}

	test('S32 Retry On Fail does not repeat what succeeds, even with a field "error"', async () => {
		reset(() => ({ status: 200, body: { _id: 'made', error: 'not really' } }));
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
		const execution = await runNode({ ...with5('S32', settings), items: indexes(1) });
		assert.equal(execution.status, 'success');
		assert.equal(front.seen.length, 1);
		const [item = {}] = outputOf(execution, nodeName);
		assert.equal('error' in item, false);
		assert.equal(item.serviceError, 'not really');
	});

	test('S33 stopped while it pauses: ends within a second and sends nothing more', async () => {
		reset(() => no(429, { 'retry-after': '4' }));
		front.before = async () => await allUnderWay(5);
		const id = await startNode(with5('S33'));
		await until('all five were asked to slow down', () =>
			Promise.resolve(front.seen.length === 5 ? true : undefined),
		);
		const due = Math.max(...front.seen.map(({ at }) => at)) + 4500;
		const stopped = Date.now();
		await rest.send('POST', `/rest/executions/${id}/stop`, {});
		const { status } = await finished(rest, id);
		const took = Date.now() - stopped;
		assert.equal(status, 'canceled');
		assert.ok(took < 2000, `${took} ms`);
		await until('the requests would be due again', () =>
			Promise.resolve(Date.now() > due ? true : undefined),
		);
		assert.equal(front.seen.length, 5);
	});

	test('S39 the webhook secret is in the body of the POST and nowhere else', async () => {
		reset((call) =>
			call.method === 'POST' ? { status: 200, body: { ...call.body, _id: 'made' } } : no(400),
		);
		const webhookUrl = 'http://127.0.0.1/webhook/x/webhook';
		const parameters: Json = { ...createEach, notify: 'trigger', webhookUrl };
		const one = { rest, credential, name: 'E2E S39' };
		const made = await runNode({ ...one, parameters });
		assert.equal(front.seen[0]?.body.webhookSecret, secret);
		assert.equal('webhookSecret' in (outputOf(made, nodeName)[0] ?? {}), false);

		front.decide = ({ body, headers }) => ({ status: 400, body: { message: { body, headers } } });
		const failed = await runNode({ ...one, parameters });
		assert.equal(failed.status, 'error');
		const workflow = await rest.findWorkflow(String(made.workflowId));
		const exported = JSON.stringify([made, failed, workflow]);
		for (const text of [secret, 'sandbox-api-key', 'sandbox-token-id']) {
			assert.equal(exported.includes(text), false);
		}
		assert.equal(JSON.stringify(front.seen).split(secret).length - 1, 2, 'once in each body');
	});
});
