import assert from 'node:assert/strict';
import path from 'node:path';
import { root } from '../../../sandbox/shared/paths.mts';
import { stopAllServers } from '../../../sandbox/shared/server.mts';
import { start, stores, type Mode } from '../../../bench/deployment/deployment.mts';
import { save, table, type Row } from '../../../bench/support/tables.mts';
import { carryOut, plan, type Length, type Scenario, type Work } from '../plan.mts';
import { openBench, type Bench } from './bench.mts';

const rowsFile = (mode: Mode) => path.join(root, 'test', 'artefacts', 'faults', `${mode}.json`);

/** On a busy machine a burst keeps n8n from its own database for longer than the usual 5 s. */
const env = { DB_PING_TIMEOUT_MS: '60000' };

/** The columns that must be 0: what nothing excuses, and what only the death of n8n excuses. */
function never(work: Work, victim: string): string[] {
	const ifService = (...columns: string[]) => (victim === 'service' ? columns : []);
	// Their deaths may take work of n8n with them that nobody can repeat.
	const unlessStore = (...columns: string[]) => (stores.includes(victim) ? [] : columns);
	if (work === 'burst') {
		const excused = [...unlessStore('other ends'), ...ifService('crashed', 'left under way')];
		return ['lost', 'doubled', ...excused];
	}
	if (work === 'waiting') {
		const ends = ifService('crashed', 'left running', 'left under way');
		return ['lost', 'ran twice', ...unlessStore('failed', 'still waiting'), ...ends];
	}
	// Only n8n's own death may take the knowledge of what was created with it.
	return ['created twice', ...ifService('unknown', 'left under way')];
}

function assertHarmless(row: Row, { work, victim }: Scenario): void {
	const broken = never(work, victim).filter((column) => row[column] !== 0);
	assert.deepEqual(broken, [], JSON.stringify(row));
	const atLeast = Number(row.sent ?? row.waits ?? 0);
	if (victim === 'n8n' && work !== 'bulk') {
		const isMet = Number(row.POSTs) > atLeast;
		assert.ok(isMet, `no notification met the outage: ${JSON.stringify(row)}`);
	}
}

/** A table for each kind of work: what is counted differs. */
function show(rows: Row[]): void {
	const kindOf = (row: Row) => /^\w+/.exec(String(row['in the middle of']))?.[0];
	for (const chosen of Map.groupBy(rows, kindOf).values()) console.log(`\n${table(chosen)}`);
}

/**
 * Makes a test of every scenario of a mode; they share one deployment. FAULTS_LENGTH=long is all of
 * them, with more under way, and FAULTS_ROUNDS=3 repeats them.
 */
export function testScenarios(mode: Mode): void {
	const folder = path.join(root, '.faults', mode);
	const length: Length = process.env.FAULTS_LENGTH === 'long' ? 'long' : 'short';
	const rounds = Number(process.env.FAULTS_ROUNDS ?? 1);
	describe(`kill -9, ${mode} mode`, () => {
		const rows: Row[] = [];
		let bench: Bench | undefined;
		beforeAll(async () => {
			bench = await openBench(await start(mode, { folder, env, log: console.log }));
		});
		afterAll(async () => {
			await save(rowsFile(mode), rows);
			show(rows);
			await bench?.close();
			// When it could not be opened, what has been started would keep this process alive.
			await stopAllServers();
		});
		for (let round = 1; round <= rounds; round += 1) {
			for (const scenario of plan(mode, length)) {
				const { victim, work } = scenario;
				const title = rounds === 1 ? '' : `, round ${round}`;
				test(`of ${victim} in the middle of: ${work}${title}`, async () => {
					assert.ok(bench);
					const row = await carryOut(bench, scenario, length);
					rows.push({ mode, killed: victim, 'in the middle of': work, round, ...row });
					assertHarmless(row, scenario);
				});
			}
		}
	});
}
