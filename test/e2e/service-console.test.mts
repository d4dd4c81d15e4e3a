import assert from 'node:assert/strict';
import { ensureCredentials } from '../../sandbox/n8n/credentials.mts';
import type { N8nRest } from '../../sandbox/n8n/rest.mts';
import type { Credential, Json } from '../../sandbox/n8n/types.mts';
import { serviceCredential } from '../../sandbox/shared/service.mts';
import { newSecret } from '../support/credential.mts';
import { sign } from '../support/delivery.mts';
import { openRest, serviceUrl } from '../support/environment.mts';
import { forbid } from '../support/leaks.mts';
import { complete, forge, redeliver, stateOf } from '../support/sandboxService.mts';
import type { SentDelivery } from '../support/sandboxService.mts';
import { createTrigger, type Trigger } from '../support/trigger.mts';
import { until } from '../support/until.mts';

async function createRequest(trigger: Trigger): Promise<string> {
	const response = await fetch(`${serviceUrl}/di/collection-request/`, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			authorization: `Bearer ${serviceCredential.apiKey}`,
			tokenId: serviceCredential.tokenId,
		},
		body: JSON.stringify({
			templateId: 'e2e-template',
			webhookUrl: trigger.url,
			webhookSecret: trigger.secret,
		}),
	});
	return ((await response.json()) as { _id: string })._id;
}

const summary = ({ kind, statusCode, answer }: SentDelivery) => ({ kind, statusCode, answer });

describe("deliveries of the service's console", () => {
	let rest: N8nRest;
	let trigger: Trigger;
	let requestId: string;
	let sent: SentDelivery[];
	beforeAll(async () => {
		rest = openRest();
		trigger = await createTrigger({ rest, name: 'E2E console' });
		requestId = await createRequest(trigger);
		await complete(requestId);
		sent = await until('both notifications are answered', async () => {
			const { deliveries } = await stateOf(requestId);
			const answered = deliveries.filter(({ statusCode }) => statusCode !== null);
			return answered.length === 2 ? answered : undefined;
		});
		await trigger.assertCount(2);
	});

	test('the notifications "open" and "completed" are accepted, one execution each', () => {
		const accepted = { kind: 'notification', statusCode: 200, answer: '{"status":"accepted"}' };
		assert.deepEqual(sent.map(summary), [accepted, accepted]);
		assert.deepEqual(sent.map(({ shareStatus }) => shareStatus).sort(), ['completed', 'open']);
	});

	test('a forged one is refused and starts nothing', async () => {
		const expected = { kind: 'forged', statusCode: 401, answer: '{"status":"unverified"}' };
		assert.deepEqual(summary(await forge(requestId)), expected);
		await trigger.assertCount();
		await trigger.accepts(trigger.good());
	});

	test('an exact replay is a duplicate and starts nothing', async () => {
		const expected = { kind: 'redelivery', statusCode: 200, answer: '{"status":"duplicate"}' };
		for (const { id } of sent) assert.deepEqual(summary(await redeliver(id, true)), expected);
		await trigger.assertCount();
		await trigger.accepts(trigger.good());
	});

	test('a redelivery signed anew is accepted, as a notification of its own', async () => {
		const expected = { kind: 'redelivery', statusCode: 200, answer: '{"status":"accepted"}' };
		const again = await redeliver(sent[0]?.id ?? '', false);
		assert.deepEqual(summary(again), expected);
		await trigger.assertCount(1);
	});

	test('unsigned and stale ones are refused and start nothing', async () => {
		const body = JSON.stringify({ event: 'collection_request.updated', requestId });
		const post = (headers: Record<string, string>) =>
			fetch(trigger.url, {
				method: 'POST',
				headers: { 'content-type': 'application/json', ...headers },
				body,
			});
		const old = String(Date.now() - 3_600_000);
		const stale = {
			'x-svc-timestamp': old,
			'x-svc-signature': sign(trigger.secret, old, body),
		};
		for (const headers of [{}, stale]) {
			const response = await post(headers);
			assert.equal(response.status, 401);
			assert.equal(await response.text(), '{"status":"unverified"}');
		}
		await trigger.assertCount();
		await trigger.accepts(trigger.good());
	});
});

describe("the sandbox's credential and the two environments", () => {
	const production = {
		apiKey: 'sandbox-production-api-key',
		tokenId: 'sandbox-production-token-id',
	};
	let rest: N8nRest;
	let credential: Credential;
	const change = async (changes: Json) => {
		const { data } = await rest.getCredential(credential.id);
		await rest.updateCredential(credential, { ...data, ...changes });
		return await rest.testCredential(credential);
	};
	beforeAll(async () => {
		rest = openRest();
		const webhookSecret = newSecret();
		forbid(webhookSecret, ...Object.values(production));
		const made = await ensureCredentials(
			rest,
			{ webhookSecret, workflowIds: {} },
			{ service: { url: serviceUrl, ...serviceCredential }, smtpPort: 9 },
		);
		credential = made.dataCollection;
	});

	test('works as it was made', async () => {
		assert.equal((await rest.testCredential(credential)).status, 'OK');
	});

	test('switched to production and nothing else, its keys are refused', async () => {
		const { status, message } = await change({ environment: 'production' });
		assert.equal(status, 'Error');
		assert.match(message, /was refused. Check both, and that Environment is the one/);
	});

	test("works with production's keys, which staging refuses", async () => {
		assert.equal((await change(production)).status, 'OK');
		assert.equal((await change({ environment: 'staging' })).status, 'Error');
		assert.equal((await change({ ...serviceCredential })).status, 'OK');
	});
});
