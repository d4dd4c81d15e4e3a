import { gzipSync } from 'node:zlib';
import type { Json } from '../../sandbox/n8n/types.mts';
import { chain, manualNode, node } from '../support/workflows.mts';
import { rest } from '../support/environment.mts';
import { countExecutions, runWorkflow } from '../support/executions.mts';
import { ADA, KEYS, call, create, guestPage } from '../support/practice.mts';
import { practiceUrl, publishPractice } from '../support/practice.mts';
import { unpublish } from '../support/trigger.mts';
import { until } from '../support/until.mts';

// The practice service stands open in somebody's n8n: what those who reach it cannot do.

const service = await publishPractice();
afterAll(() => unpublish(rest, service));

const CREATE = '/di/collection-request/';
/** A create that must be refused; returns the reason. */
const refused = async (body: Json) => {
	const { status, json } = await call(CREATE, { templateId: 't', ...body });
	expect(status).toBe(400);
	return json.message;
};

/** The path of its data table in n8n's REST API. */
const table = async () => {
	type Tables = { data: Array<{ id: string; name: string; project: { id: string } }> };
	const tables = await rest.send<Tables>('GET', '/rest/data-tables-global');
	const found = tables.data.find(({ name }) => name.endsWith('practice service'));
	return `/rest/projects/${found?.project.id ?? ''}/data-tables/${found?.id ?? ''}`;
};
type Rows = { count: number; data: Json[] };
/** The rows with such a value in a column. */
const rows = async (columnName: string, condition: string, value: unknown) => {
	const filter = JSON.stringify({ type: 'and', filters: [{ columnName, condition, value }] });
	const query = `take=10&filter=${encodeURIComponent(filter)}`;
	return await rest.send<Rows>('GET', `${await table()}/rows?${query}`);
};
const countAll = async () => (await rows('id', 'gt', 0)).count;
const countRequests = async () => (await rows('stage', 'lt', 3)).count;
/** Adds rows, as if as many others had used it. */
const addRows = async (count: number, stage: number) => {
	const row = { requestId: 'other', execution: '1', data: '{"participantList":[]}', stage };
	const data = Array.from({ length: count }, () => row);
	await rest.send('POST', `${await table()}/insert`, { data });
};

/** A create whose body is sent as it is; returns the status. */
const createRaw = async (body: BodyInit, headers = {}) => {
	const sent = { ...KEYS, 'content-type': 'application/json', ...headers };
	const init = { method: 'POST', headers: sent, body, duplex: 'half' };
	return (await fetch(`${practiceUrl}${CREATE}`, init)).status;
};

const large = JSON.stringify({ templateId: 'refused', other: 'x'.repeat(20_000) });
const small = JSON.stringify({ templateId: 'refused' });
test.each([
	['a body of more than 20 kB', () => large, {}],
	['a compressed body', () => gzipSync(large), { 'content-encoding': 'gzip' }],
	['a body of unknown size', () => new Blob([small]).stream(), {}],
])('%s is refused, and nothing of it is kept', async (_what, body, headers) => {
	await create();
	expect(await createRaw(body(), headers)).toBe(413);
	expect(await rows('data', 'like', '%refused%')).toEqual({ count: 0, data: [] });
	await until('no execution is left', async () => (await countExecutions(service.id)) === 0);
});

test.each([
	['minimumParticipants', 101, 'minimumParticipants must be a whole number from 0 to 100.'],
	['maximumParticipants', '2', 'maximumParticipants must be a whole number from 0 to 100.'],
	['participantList', [{ email: 1 }], expect.stringMatching(/^participantList must list/)],
	['webhookSecret', 'x'.repeat(501), 'webhookSecret must be text of at most 500 characters.'],
	['webhookUrl', 'https://example.com/webhook/1', expect.any(String)],
])('an odd %s is refused', async (name, odd, reason: unknown) => {
	expect(await refused({ [name]: odd })).toEqual(reason);
});

test('only known fields are kept', async () => {
	const id = await create({ participantList: [{ ...ADA, other: 1 }], other: 1, stage: 3 });
	const { data } = await rows('requestId', 'eq', id);
	const kept = JSON.parse(String(data[0]?.data)) as Json;
	expect(kept).toEqual({ templateId: 't', participantList: [{ ...ADA, isAdmin: false }] });
});

test("a body that is nested 5,000 deep does not block this n8n's Code nodes", async () => {
	const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
	expect(await createRaw(deep)).toBe(400);
	expect(await createRaw(`{"templateId":${deep}}`)).toBe(400);
	expect(await createRaw(`{"templateId":"t","participantList":${deep}}`)).toBe(400);
	expect(await createRaw(`{"templateId":"t","other":${deep}}`)).toBe(201);
	const code = node('Code', 'n8n-nodes-base.code', 2, { jsCode: 'return [{ json: {} }];' });
	await runWorkflow(chain('Code after a deep body', [manualNode(), code]));
});

test('of five who answer at once where two are needed, each one is counted or told not to be', async () => {
	const names = ['Ada', 'Ben', 'Carl', 'Dora', 'Eve'];
	const people = names.map((name) => ({ name, email: `${name}@example.com` }));
	const id = await create({ participantList: people, minimumParticipants: 2 });
	const answer = async ({ name, email }: typeof ADA) => {
		const { status, text } = await guestPage(id, { who: email, answer0: 'M' });
		const isCounted = text.includes(`Thank you, ${name}`);
		if (!isCounted) expect([status, text]).toEqual([409, expect.stringContaining('not saved')]);
		return isCounted ? [name] : [];
	};
	const counted = (await Promise.all(people.map(answer))).flat();
	const { json } = await call(`/di/share/${id.replace(/^a/, 'b')}`);
	const participants = json.participants as Array<{ accountSnapshot: Json }>;
	const shared = participants.map(({ accountSnapshot }) => accountSnapshot.name);
	expect(shared.sort()).toEqual(counted.sort());
});

test('the newest 100 collection requests are kept', async () => {
	const [oldest, other] = [await create(), await create()];
	await guestPage(oldest, { name: 'Ada', answer0: 'M' });
	await addRows(98, 0);
	const isThere = async (id: string) => (await call(`${CREATE}${id}`)).status;
	expect(await isThere(oldest)).toBe(200);
	const newest = await create();
	expect(await isThere(oldest)).toBe(404);
	expect([await isThere(other), await isThere(newest)]).toEqual([200, 200]);
	expect(await guestPage(oldest)).toMatchObject({ status: 404 });
	expect(await countRequests()).toBe(100);
});

test('1,000 rows are kept', async () => {
	await addRows(1000, 3);
	await create();
	expect(await countAll()).toBe(1000);
});
