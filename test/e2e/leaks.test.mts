import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { everyRow } from './support/database.mts';
import { userFolder } from './support/environment.mts';
import { containsSecret, forbidden } from './support/forbidden.mts';
import { logSince } from './support/n8nLog.mts';

/** Runs last: looks at what the other files have left behind in n8n. */
void describe('W81 keys, secrets and expected signatures', () => {
	before(() => {
		assert.ok(forbidden().length > 1, 'the other files have noted what must not appear');
	});

	test("appear nowhere in n8n's log", () => {
		const lines = logSince(0).split('\n');
		assert.ok(lines.some((line) => line.includes('Editor is now accessible')));
		assert.equal(lines.filter(containsSecret).length, 0, 'lines with a secret');
	});

	test("appear nowhere in n8n's event log", () => {
		const lines = readFileSync(path.join(userFolder, '.n8n', 'n8nEventLog.log'), 'utf8').split(
			'\n',
		);
		assert.equal(lines.filter(containsSecret).length, 0, 'lines with a secret');
	});

	test('appear in no execution, no workflow and nothing else that n8n has stored', () => {
		const rows = everyRow();
		const isItem = ({ table, row }: (typeof rows)[number]) =>
			table === 'execution_data' && row.includes('collection_request.updated');
		assert.ok(rows.some(isItem), 'what the triggers have emitted is among the rows');
		const found = rows.filter(({ row }) => containsSecret(row)).map(({ table }) => table);
		// Only the tables are shown: a row would put the secret into the report.
		assert.deepEqual(found, []);
	});
});
