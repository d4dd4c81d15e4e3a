import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import { triggerUrl } from '../../sandbox/n8n/examples.mts';
import { outputOf, type Execution, type Json, type Workflow } from '../../sandbox/n8n/types.mts';
import { n8nFolder } from '../../sandbox/shared/paths.mts';
import { n8nUrl, session } from '../support/environment.mts';
import { countExecutions, finished, newestExecutions } from '../support/executions.mts';
import { openBench, type ExampleBench } from '../support/examples.mts';
import { complete, fillInForm, redeliver, stateOf } from '../support/sandboxService.mts';
import { until } from '../support/until.mts';
import { actionNode, chain, manualName, manualNode } from '../support/workflows.mts';

const ada = { name: 'Ada Example', email: 'ada@example.com' };
const ben = { name: 'Ben Example', email: 'ben@example.com' };
const questions = ['Delivery address', 'Contact phone', 'Remarks'];

/** The parts of n8n's own library for spreadsheets that are used here. */
interface SpreadsheetLibrary {
	read(file: Buffer): { SheetNames: string[]; Sheets: Record<string, Json> };
	utils: { sheet_to_json(sheet: Json | undefined, options: { defval: string }): Json[] };
}
const xlsx = createRequire(path.join(n8nFolder, 'package.json'))(
	'@e965/xlsx',
) as SpreadsheetLibrary;

describe('the example completed-to-rows', () => {
	let bench: ExampleBench;
	let workflow: Workflow;
	beforeAll(async () => {
		bench = await openBench('rows');
		workflow = await bench.load('completed-to-rows');
	});
	afterAll(() => bench.close());

	/** Creates a request that reports to the example; answers what Create puts out. */
	const create = async (additionalFields: Json) => {
		const node = actionNode('Create', bench.credentials.dataCollection, {
			...{ resource: 'collectionRequest', operation: 'create', templateId: 'e2e-template' },
			...{ minimumParticipants: 2, maximumParticipants: 2, participantsMode: 'json' },
			...{ participantsJson: JSON.stringify([ada, ben]), additionalFields },
			...{ notify: 'trigger', webhookUrl: triggerUrl(n8nUrl, workflow) },
		});
		const { id } = await bench.rest.createWorkflow(chain('E2E rows', [manualNode(), node]));
		const execution = await finished(bench.rest, await bench.rest.runManually(id, manualName));
		return outputOf(execution, 'Create')[0] ?? {};
	};
	/** The example's newest execution once there are `count`. */
	const started = async (count: number): Promise<Execution> => {
		await until(`${count} executions`, async () =>
			(await countExecutions(bench.rest, workflow.id)) >= count ? true : undefined,
		);
		const [execution] = await newestExecutions(bench.rest, workflow.id, 1);
		assert.ok(execution);
		assert.equal(execution.status, 'success', JSON.stringify(execution.data.resultData.error));
		return execution;
	};
	/** The rows of the data table for a request, oldest first. */
	const rowsOf = async (requestId: unknown): Promise<Json[]> => {
		const { data } = await bench.rest.send<{ data: Json[] } & Json>(
			'GET',
			`/rest/data-tables-global?filter=${encodeURIComponent('{"name":"Data collection answers"}')}`,
		);
		const [table, ...others] = Array.isArray(data) ? data : [];
		assert.ok(table);
		assert.equal(others.length, 0, 'one table however often it runs');
		const filters = [{ columnName: 'request_id', condition: 'eq', value: requestId }];
		const filter = encodeURIComponent(JSON.stringify({ type: 'and', filters }));
		const route = `/rest/projects/${String(table.projectId)}/data-tables/${String(table.id)}/rows`;
		const found = await bench.rest.send<Json>('GET', `${route}?sortBy=id:asc&filter=${filter}`);
		return found.data as Json[];
	};
	const contentOf = (rows: Json[]) =>
		rows.map(({ request_id, topic, position, question, answer }) => ({
			...{ request_id, topic, position, question },
			answer: String(answer).replaceAll('\r\n', '\n'),
		}));
	const fileOf = async (execution: Execution) => {
		const run = execution.data.resultData.runData['Put the rows into a spreadsheet']?.[0];
		const [item] = (run?.data?.main?.[0] ?? []) as Array<{ binary?: { data: Json } }>;
		assert.ok(item?.binary);
		const { id, fileName } = item.binary.data;
		const query = `id=${encodeURIComponent(String(id))}&action=download`;
		const headers = { cookie: session };
		const response = await fetch(`${n8nUrl}/rest/binary-data?${query}`, { headers });
		assert.equal(response.status, 200);
		const book = xlsx.read(Buffer.from(await response.arrayBuffer()));
		assert.deepEqual(book.SheetNames, ['Answers']);
		const cells = Object.values(book.Sheets.Answers ?? {}) as Array<{ f?: string }>;
		assert.ok(cells.every(({ f }) => f === undefined));
		return { fileName, rows: xlsx.utils.sheet_to_json(book.Sheets.Answers, { defval: '' }) };
	};

	let requestId: unknown;
	let expected: Json[];

	test('every answer of everybody is a row of the table', async () => {
		const created = await create({ webhookIdentifier: 'Büro' });
		const { guestLink } = created;
		({ requestId } = created);
		await fillInForm(String(guestLink), ada, '=HYPERLINK("http://evil.example")');
		await fillInForm(String(guestLink), ben, '東京 2, "quoted"\nsecond line');
		await started(1);
		const answers = [
			...['=HYPERLINK("http://evil.example")', '', ''],
			...['東京 2, "quoted"\nsecond line', '', ''],
		];
		expected = answers.map((answer, index) => {
			const question = questions[index % questions.length];
			return { request_id: requestId, topic: 'Büro', position: index + 1, question, answer };
		});
		const rows = await rowsOf(requestId);
		assert.deepEqual(contentOf(rows), expected);
		for (const { completed_at: at } of rows)
			assert.ok(Date.parse(String(at)) > Date.now() - 60_000);
	});

	test('and a row of the Excel file, in which no answer is a formula', async () => {
		const { fileName, rows } = await fileOf(await started(1));
		assert.equal(fileName, `answers-${String(requestId)}.xlsx`);
		const found = rows.map(({ requestId: request_id, label, value, position }) => {
			return { request_id, topic: 'Büro', position, question: label, answer: value };
		});
		assert.deepEqual(contentOf(found), expected);
	});

	test('the same notification, signed anew, adds no rows', async () => {
		const { deliveries } = await stateOf(String(requestId));
		const sent = deliveries.find(({ shareStatus }) => shareStatus === 'completed');
		assert.ok(sent);
		await redeliver(sent.id, false);
		await started(2);
		assert.deepEqual(contentOf(await rowsOf(requestId)), expected);
	});

	test('a request without a webhook identifier has rows without a topic', async () => {
		const { requestId: other, guestLink } = await create({});
		await fillInForm(String(guestLink), ada, 'One');
		await fillInForm(String(guestLink), ben, 'Two');
		await started(3);
		const rows = contentOf(await rowsOf(other));
		assert.equal(rows.length, 6);
		for (const { topic } of rows) assert.ok(topic === '' || topic === null);
	});

	test('a request completed without answers adds no rows and fails nothing', async () => {
		const { requestId: other } = await create({});
		await complete(String(other));
		await started(4);
		assert.deepEqual(await rowsOf(other), []);
	});
});
