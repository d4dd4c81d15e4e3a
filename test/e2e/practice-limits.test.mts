import type { Json } from '../../sandbox/n8n/types.mts';
import { rest } from '../support/environment.mts';
import { countExecutions } from '../support/executions.mts';
import { KEYS, call, create, practiceUrl, publishPractice } from '../support/practice.mts';
import { unpublish } from '../support/trigger.mts';
import { until } from '../support/until.mts';

// The practice service stands open in somebody's n8n: what those who reach it cannot do.

const service = await publishPractice();
afterAll(() => unpublish(rest, service));

const path = '/di/collection-request/';

test('a large body is refused, and n8n keeps nothing of it', async () => {
	const body = JSON.stringify({ templateId: 't', other: 'x'.repeat(20_000) });
	const headers = { ...KEYS, 'content-type': 'application/json' };
	const { status } = await fetch(`${practiceUrl}${path}`, { method: 'POST', headers, body });
	expect(status).toBe(413);
	await until('no execution is left', async () => (await countExecutions(service.id)) === 0);
});

test.each([
	['minimumParticipants', 101],
	['maximumParticipants', '2'],
	['participantList', [{ email: 1 }]],
	['webhookSecret', 'x'.repeat(501)],
	['webhookUrl', 'https://example.com/webhook/1'],
])('an odd %s is refused, and the message names it', async (name, odd: Json[string]) => {
	const { status, json } = await call(path, { templateId: 't', [name]: odd });
	expect([status, json.message]).toEqual([400, expect.stringContaining(name)]);
});

test('the newest 100 collection requests are kept', async () => {
	const [oldest, next] = [await create(), await create()];
	type Tables = { data: Array<{ id: string; name: string; project: { id: string } }> };
	const { data } = await rest.send<Tables>('GET', '/rest/data-tables-global');
	const table = data.find(({ name }) => name.endsWith('practice service'));
	const route = `/rest/projects/${table?.project.id}/data-tables/${table?.id}/insert`;
	// As if 98 others had used it.
	const other = { requestId: 'other', execution: '1', data: '{"participantList":[]}', stage: 0 };
	await rest.send('POST', route, { data: Array.from({ length: 98 }, () => other) });
	const newest = await create();
	const statuses = [];
	for (const id of [oldest, next, newest]) statuses.push((await call(`${path}${id}`)).status);
	expect(statuses).toEqual([404, 200, 200]);
});
