import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Execution, Json } from '../../sandbox/n8n/types.mts';
import { n8nFolder } from '../../sandbox/shared/paths.mts';
import { n8nUrl, rest, session } from '../support/environment.mts';
import { openBench } from '../support/examples.mts';
import { newestExecution } from '../support/executions.mts';
import { ada, ben, fillInForm } from '../support/sandboxService.mts';
import { answered, redeliver } from '../support/sandboxService.mts';

/** The parts used here of n8n's own spreadsheet library. */
interface SpreadsheetLibrary {
	read(file: Buffer): { SheetNames: string[]; Sheets: Record<string, Json> };
	utils: { sheet_to_json(sheet: Json | undefined, options: { defval: string }): Json[] };
}
const requireOfN8n = createRequire(path.join(n8nFolder, 'package.json'));
const xlsx = requireOfN8n('@e965/xlsx') as SpreadsheetLibrary;

const bench = await openBench('rows');
const workflow = await bench.load('completed-to-rows');
const topic = 'Büro';
const { requestId, guestLink } = await bench.create(workflow, { webhookIdentifier: topic });

const formula = '=HYPERLINK("http://evil.example")';
const quoted = '東京 2, "quoted"\nsecond line';
const questions = ['Delivery address', 'Contact phone', 'Remarks'];
const expected = [formula, '', '', quoted, '', ''].map((answer, index) => ({
	request_id: requestId,
	topic,
	position: index + 1,
	answer,
	question: questions[index % questions.length],
}));

/** The example's newest execution once there are `count`. */
const started = (count: number) => newestExecution(workflow.id, count);
/** The data table's rows for a collection request, oldest first. */
const rowsOf = async (requestId: string): Promise<Json[]> => {
	const named = encodeURIComponent('{"name":"Data collection answers"}');
	const found = await rest.send<Json>('GET', `/rest/data-tables-global?filter=${named}`);
	const [table, ...others] = found.data as Json[];
	assert.ok(table);
	expect(others.length).toBe(0);
	const filters = [{ columnName: 'request_id', condition: 'eq', value: requestId }];
	const filter = encodeURIComponent(JSON.stringify({ type: 'and', filters }));
	const route = `/rest/projects/${String(table.projectId)}/data-tables/${String(table.id)}/rows`;
	const rows = await rest.send<Json>('GET', `${route}?sortBy=id:asc&filter=${filter}`);
	return rows.data as Json[];
};
const contentOf = (rows: Json[]) =>
	rows.map(({ request_id, topic, position, question, answer }) => ({
		request_id,
		topic,
		position,
		question,
		answer: String(answer).replaceAll('\r\n', '\n'),
	}));
/** The Excel file that an execution created. */
const fileOf = async (execution: Execution) => {
	const run = execution.data.resultData.runData['Put the rows into a spreadsheet']?.[0];
	const [item] = (run?.data?.main?.[0] ?? []) as Array<{ binary?: { data: Json } }>;
	assert.ok(item?.binary);
	const { id, fileName } = item.binary.data;
	const query = `id=${encodeURIComponent(String(id))}&action=download`;
	const headers = { cookie: session };
	const response = await fetch(`${n8nUrl}/rest/binary-data?${query}`, { headers });
	expect(response.status).toBe(200);
	const book = xlsx.read(Buffer.from(await response.arrayBuffer()));
	expect(book.SheetNames).toStrictEqual(['Answers']);
	const cells = Object.values(book.Sheets.Answers ?? {}) as Array<{ f?: string }>;
	expect(cells.filter(({ f }) => f !== undefined)).toStrictEqual([]);
	return { fileName, rows: xlsx.utils.sheet_to_json(book.Sheets.Answers, { defval: '' }) };
};

test('every answer of everybody is a row of the table', async () => {
	await fillInForm(guestLink, ada, formula);
	await fillInForm(guestLink, ben, quoted);
	await started(1);
	const rows = await rowsOf(requestId);
	expect(contentOf(rows)).toStrictEqual(expected);
	for (const { completed_at: at } of rows) {
		expect(Date.parse(String(at))).toBeGreaterThan(Date.now() - 60_000);
	}
});

test('every answer is a row of the Excel file, too, and none is a formula', async () => {
	const { fileName, rows } = await fileOf(await started(1));
	expect(fileName).toBe(`answers-${requestId}.xlsx`);
	const found = rows.map(({ requestId: request_id, label, value, position }) => {
		return { request_id, topic, position, question: label, answer: value };
	});
	expect(contentOf(found)).toStrictEqual(expected);
});

test('the same notification, signed anew, adds no rows', async () => {
	await redeliver((await answered(requestId, 'completed')).id, false);
	await started(2);
	expect(contentOf(await rowsOf(requestId))).toStrictEqual(expected);
});
