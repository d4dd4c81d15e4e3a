import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { userFolder } from '../e2e/support/environment.mts';
import { containsSecret, forbidden } from '../e2e/support/forbidden.mts';
import { logSince } from '../e2e/support/n8nLog.mts';
import { runClient } from './support/postgres.mts';

const linesOf = (text: string) => text.split('\n');
/** Only numbers are shown: a line would put the secret into the report. */
const leaks = (lines: string[]) => lines.filter(containsSecret).length;

/** Runs last: looks at what the other files have left behind in all processes. */
void describe('W81 keys, secrets and expected signatures in queue mode', () => {
	before(() => {
		assert.ok(forbidden().length > 1, 'the other files have noted what must not appear');
	});

	test('appear in no log of a process, of Redis, PostgreSQL or the load balancer', () => {
		const lines = linesOf(logSince(0));
		assert.ok(lines.some((line) => line.includes('Worker finished execution')));
		assert.ok(lines.some((line) => line.includes('Delivery refused')));
		for (const name of ['redis/redis.log', 'postgres/postgres.log', 'proxy.log']) {
			lines.push(...linesOf(readFileSync(path.join(userFolder, name), 'utf8')));
		}
		assert.equal(leaks(lines), 0, 'lines with a secret');
	});

	test('appear nowhere in Redis, with the jobs of all executions', () => {
		const folder = path.join(userFolder, 'redis', 'appendonlydir');
		const files = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
		const lines = files.flatMap(linesOf);
		assert.ok(lines.some((line) => line.includes('executionId')));
		assert.equal(leaks(lines), 0, 'lines with a secret');
	});

	test('appear in no execution, no workflow and nothing else in the database', async () => {
		const lines = linesOf(await runClient('pg_dump', ['--data-only']));
		assert.ok(lines.some((line) => line.includes('collection_request.updated')));
		assert.equal(leaks(lines), 0, 'rows with a secret');
	});
});
