import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { root } from '../../../sandbox/shared/paths.mts';
import type { Mode } from '../../deployment/deployment.mts';
import { save, type Row } from '../../deployment/figures.mts';
import { start } from '../../deployment/start.mts';
import { carryOut, plan, type Length } from '../plan.mts';
import { openBench, type Bench } from './bench.mts';

/** By which run.mts tells the test files how much to do. */
export const variables = { length: 'FAULTS_LENGTH', rounds: 'FAULTS_ROUNDS' } as const;

export const rowsFile = (mode: Mode) =>
	path.join(root, 'test', 'artefacts', 'faults', `${mode}.json`);

/** On a busy machine a burst keeps n8n from its own database for longer than the usual 5 s. */
const env = { DB_PING_TIMEOUT_MS: '60000' };

/** What must not happen, whatever dies: the columns that have to be 0. */
const never = ['lost', 'doubled', 'ran twice', 'created twice'];

function assertHarmless(row: Row, isServiceFault: boolean): void {
	const broken = never.filter((column) => (row[column] ?? 0) !== 0);
	assert.deepEqual(broken, [], JSON.stringify(row));
	// Only n8n's own death may take the knowledge of what was created with it.
	if (isServiceFault) assert.equal(row.unknown ?? 0, 0, JSON.stringify(row));
}

/** Makes a test of every scenario of a mode; they share one deployment. */
export function testScenarios(mode: Mode): void {
	const folder = path.join(root, '.faults', mode);
	const length: Length = process.env[variables.length] === 'long' ? 'long' : 'short';
	const rounds = Number(process.env[variables.rounds] ?? 1);
	void describe(`kill -9, ${mode} mode`, () => {
		const rows: Row[] = [];
		let bench: Bench;
		before(async () => {
			bench = await openBench(await start(mode, { folder, env, log: console.log }));
		});
		after(async () => {
			await save(rowsFile(mode), rows);
			await bench.close();
		});
		for (let round = 1; round <= rounds; round += 1) {
			for (const scenario of plan(mode, length)) {
				const { victim, work } = scenario;
				const title = rounds === 1 ? '' : `, round ${round}`;
				test(`of ${victim} in the middle of: ${work}${title}`, async (context) => {
					const row = await carryOut(bench, scenario, length);
					rows.push({ mode, killed: victim, 'in the middle of': work, round, ...row });
					context.diagnostic(JSON.stringify(row));
					assertHarmless(row, victim === 'service');
				});
			}
		}
	});
}
