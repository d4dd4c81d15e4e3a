import { credentialType, readExample } from '../../sandbox/n8n/examples.mts';
import { publish } from '../../sandbox/n8n/publish.mts';
import { outputOf, type Json } from '../../sandbox/n8n/types.mts';
import { until } from '../../sandbox/shared/until.mts';
import { forbid, newSecret } from '../support/credential.mts';
import { n8nUrl, rest } from '../support/environment.mts';
import { countExecutions, nodeName, runNode } from '../support/executions.mts';
import { matching } from '../support/matchers.mts';
import { unpublish } from '../support/trigger.mts';

// The practice service: the importable workflow that stands in for the service inside the user's n8n.

const service = await publish(
	rest,
	await rest.createWorkflow(await readExample('practice-service')),
);
const practiceUrl = `${n8nUrl}/webhook/data-collection-practice`;

/** Calls its API: a POST if there is a body. */
async function call(path: string, body?: Json) {
	const response = await fetch(`${practiceUrl}/di/${path}`, {
		method: body === undefined ? 'GET' : 'POST',
		headers: {
			Authorization: 'Bearer practice-key',
			tokenId: 'practice-key',
			'Content-Type': 'application/json',
		},
		body: body && JSON.stringify(body),
	});
	return { status: response.status, json: (await response.json()) as Json };
}

/** Creates a collection request; returns its ID. */
const create = async (body: Json = {}) =>
	String((await call('collection-request/', { templateId: 't', ...body })).json._id);

/** The text of the guest page of a collection request, opened or submitted. */
async function guestPage(id: string, form?: Record<string, string>) {
	const body = form && new URLSearchParams(form);
	const response = await fetch(`${practiceUrl}/request/${id}`, {
		method: body ? 'POST' : 'GET',
		body,
	});
	return await response.text();
}

const ADA = { name: 'Ada', email: 'ada@example.com' };
const BEN = { name: 'Ben', email: 'ben@example.com' };

test('the guest page says how many are missing, takes nobody twice, and nothing once all are there', async () => {
	const id = await create({
		participantList: [ADA, BEN],
		minimumParticipants: 2,
		webhookIdentifier: 'New office',
	});
	expect(await guestPage(id)).toContain('<h1>New office</h1>');
	expect(await guestPage(id, { who: ADA.email, answer0: 'M' })).toContain('1 more to go');
	expect(await guestPage(id, { who: ADA.email, answer0: 'L' })).toContain('<form');
	expect(await guestPage(id, { who: BEN.email, answer0: 'S' })).toContain('Thank you');
	expect(await guestPage(id)).toContain('Completed');
});

test('what people type never becomes markup', async () => {
	const markup = `"><script>alert(1)</script><b x='`;
	const id = await create({
		webhookIdentifier: markup,
		minimumParticipants: 2,
		participantList: [{ name: markup, email: markup }],
	});
	const page = await guestPage(id);
	expect(page).toContain('alert(1)');
	expect(page).not.toMatch(/<script|<b x/);
	expect(await guestPage(id, { who: markup, answer0: markup })).not.toMatch(/<script|<b x/);
	const { shareId } = (await call(`collection-request/${id}`)).json;
	const { otherFields } = (await call(`share/${String(shareId)}`)).json;
	expect(otherFields).toMatchObject([{ value: markup }, {}]);
});

test.each([
	['minimumParticipants', 101],
	['maximumParticipants', '2'],
	['participantList', [{ email: 1 }]],
	['webhookSecret', 'x'.repeat(501)],
	['webhookUrl', 'https://example.com/webhook/1'],
])('an odd %s is refused, and the message names it', async (name, odd: Json[string]) => {
	const { status, json } = await call('collection-request/', { templateId: 't', [name]: odd });
	expect([status, json.message]).toEqual([400, expect.stringContaining(name)]);
});

test('a large body is refused, the newest 100 collection requests are kept, and no execution', async () => {
	const { status } = await call('collection-request/', { templateId: 'x'.repeat(20_000) });
	expect(status).toBe(413);
	const [oldest, next] = [await create(), await create()];
	type Tables = { data: Array<{ id: string; name: string; project: { id: string } }> };
	const { data } = await rest.send<Tables>('GET', '/rest/data-tables-global');
	const table = data.find(({ name }) => name.endsWith('practice service'));
	const route = `/rest/projects/${table?.project.id}/data-tables/${table?.id}/insert`;
	// As if 98 others had used it.
	const other = { requestId: 'other', execution: '1', data: '{"participantList":[]}', stage: 0 };
	await rest.send('POST', route, { data: Array.from({ length: 98 }, () => other) });
	const statuses = [];
	for (const id of [oldest, next, await create()]) {
		statuses.push((await call(`collection-request/${id}`)).status);
	}
	expect(statuses).toEqual([404, 200, 200]);
	await until('no execution is left', async () => (await countExecutions(service.id)) === 0);
});

test('the credential says whether it is there; the key of production stays where it is', async () => {
	/**
	 * As after a change of Environment: it must not appear anywhere. The webhook secret may: the practice
	 * service stores it as plain text.
	 */
	const keys = { apiKey: 'key-of-production', tokenId: 'token-of-production' };
	forbid(...Object.values(keys));
	const fields = { environment: 'practice', practiceUrl, ...keys, webhookSecret: newSecret() };
	const credential = await rest.createCredential('Practice', credentialType, fields);
	const parameters = {
		resource: 'collectionRequest',
		operation: 'create',
		templateId: 'practice',
		participantsMode: 'json',
		participantsJson: JSON.stringify([ADA, BEN]),
	};
	const execution = await runNode({ name: 'Practice', credential, parameters });
	expect(outputOf(execution, nodeName)).toMatchObject([ADA, BEN]);
	expect(await rest.testCredential(credential)).toMatchObject({ status: 'OK' });
	await unpublish(service);
	expect(await rest.testCredential(credential)).toMatchObject({
		status: 'Error',
		message: matching(
			/^Publish the workflow of the practice service\. If .*localhost:5678 in Practice/,
		),
	});
});
