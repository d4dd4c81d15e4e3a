import assert from 'node:assert/strict';
import path from 'node:path';
import { start, stores, type Mode } from '../../sandbox/testing/deployment.mts';
import { sandboxAt } from '../../sandbox/testing/serviceBehindFront.mts';
import { save, table, type Row } from '../support/tables.mts';
import { holdLock } from '../../sandbox/shared/lock.mts';
import { root, stateFolder } from '../../sandbox/shared/paths.mts';
import { stopAllServers } from '../../sandbox/shared/server.mts';
import { forMany } from '../jest/suite.mts';
import { openSetup, supervise, type Setup } from './support/setup.mts';
import { bulk } from './work/bulk.mts';
import { burst } from './work/deliveries.mts';
import { waitingOnes } from './work/waiting.mts';

/** The work during which a process dies. */
type Work = 'burst' | 'waiting' | 'waiting for many' | 'bulk' | 'bulk, Continue On Fail';

interface Scenario {
	victim: string;
	work: Work;
}

/** How much of each; the figures in the documentation come from `long`. */
const sizes = {
	short: { burst: 60, waiting: 20, many: 2, bulk: 100 },
	long: { burst: 200, waiting: 200, many: 20, bulk: 300 },
} as const;
type Length = keyof typeof sizes;

/** How many collection requests each execution of `waiting for many` waits for. */
const manyEach = 10;

const victims: Record<Mode, string[]> = {
	regular: ['n8n', 'service'],
	queue: ['main', 'worker', 'webhook', 'redis', 'postgres', 'service'],
};

/** One victim of each kind, each during the work that it harms most. */
const briefly: Record<Mode, Scenario[]> = {
	regular: [
		{ victim: 'n8n', work: 'burst' },
		{ victim: 'n8n', work: 'waiting' },
		{ victim: 'service', work: 'waiting for many' },
		{ victim: 'service', work: 'bulk' },
	],
	queue: [
		{ victim: 'main', work: 'waiting' },
		{ victim: 'worker', work: 'bulk' },
		{ victim: 'webhook', work: 'burst' },
		{ victim: 'redis', work: 'burst' },
		{ victim: 'postgres', work: 'waiting' },
	],
};

/** Every process, during every kind of work. */
function fully(mode: Mode): Scenario[] {
	const works: Work[] = ['burst', 'waiting', 'waiting for many', 'bulk'];
	const all = victims[mode].flatMap((victim) => works.map((work) => ({ victim, work })));
	return [...all, { victim: 'service', work: 'bulk, Continue On Fail' }];
}

/** Runs a scenario and returns its outcome; afterwards everything is running again. */
async function carryOut(setup: Setup, scenario: Scenario, length: Length): Promise<Row> {
	const { victim, work } = scenario;
	const size = sizes[length];
	const chooseVictim = () => setup.choose(victim);
	try {
		if (work === 'burst') return await burst(setup, chooseVictim, size.burst);
		if (work === 'waiting') return await waitingOnes(setup, chooseVictim, size.waiting, 1);
		if (work === 'waiting for many')
			return await waitingOnes(setup, chooseVictim, size.many, manyEach);
		const settings = work === 'bulk' ? {} : { onError: 'continueRegularOutput' };
		const holding = (executionId: string) => () => setup.choose(victim, executionId);
		return await bulk(setup, holding, size.bulk, settings);
	} finally {
		await supervise(setup.members).revive();
		await sandboxAt(setup.service.url).slowDown(0);
	}
}

/** The columns that must be 0: outcomes that nothing excuses, and ones that only n8n's death excuses. */
function never(work: Work, victim: string): string[] {
	const ifService = (...columns: string[]) => (victim === 'service' ? columns : []);
	// When a store dies, work of n8n may be lost that nobody can repeat.
	const unlessStore = (...columns: string[]) => (stores.includes(victim) ? [] : columns);
	if (work === 'burst') {
		const queue = victim === 'worker' ? [] : unlessStore('given up by the queue');
		const excused = [...unlessStore('other ends'), ...ifService('crashed', 'left under way')];
		return ['lost', 'doubled', ...queue, ...excused];
	}
	if (work.startsWith('waiting')) {
		const ends = ifService('crashed', 'left running', 'left under way');
		return ['lost', 'ran twice', ...unlessStore('failed', 'still waiting'), ...ends];
	}
	// Only when n8n itself dies may the record of what was created be lost.
	return ['created twice', ...ifService('unknown', 'left under way')];
}

function assertHarmless(row: Row, { work, victim }: Scenario): void {
	const broken = never(work, victim).filter((column) => row[column] !== 0);
	expect(broken).toStrictEqual([]);
	const atLeast = Number(row.sent ?? 0) + Number(row.waits ?? 0) * Number(row.each ?? 1);
	if (victim === 'n8n' && work !== 'bulk') {
		const isMet = Number(row.POSTs) > atLeast;
		assert.ok(isMet, `no notification met the outage: ${JSON.stringify(row)}`);
	}
}

/** A table for each kind of work, as each counts different things. */
function show(rows: Row[]): void {
	const kindOf = (row: Row) => /^\w+/.exec(String(row['in the middle of']))?.[0];
	for (const chosen of Map.groupBy(rows, kindOf).values()) console.log(`\n${table(chosen)}`);
}

/**
 * Makes a test for each scenario of a mode; they share one deployment. CRASHES_LENGTH=long runs all of
 * them, with larger amounts of work; CRASHES_ROUNDS=3 repeats them.
 */
export function testScenarios(mode: Mode): void {
	const folder = stateFolder('crashes', mode);
	const length: Length = process.env.CRASHES_LENGTH === 'long' ? 'long' : 'short';
	const rounds = Number(process.env.CRASHES_ROUNDS ?? 1);
	describe(`kill -9, ${mode} mode`, () => {
		const rows: Row[] = [];
		let setup: Setup | undefined;
		beforeAll(async () => {
			// Each mode has a folder of its own, so both may run at the same time.
			expect(await holdLock(`crashes-${mode}`)).toBe(true);
			setup = await openSetup(await start(mode, { folder, env: forMany, log: console.log }));
		});
		afterAll(async () => {
			await save(path.join(root, 'test', 'artefacts', 'crashes', `${mode}.json`), rows);
			show(rows);
			await setup?.close();
			// If opening failed, the servers that did start would keep this process alive.
			await stopAllServers();
		});
		for (let round = 1; round <= rounds; round += 1) {
			for (const scenario of length === 'short' ? briefly[mode] : fully(mode)) {
				const { victim, work } = scenario;
				const title = rounds === 1 ? '' : `, round ${round}`;
				test(`of ${victim} in the middle of: ${work}${title}`, async () => {
					assert.ok(setup);
					const row = await carryOut(setup, scenario, length);
					rows.push({ mode, killed: victim, 'in the middle of': work, round, ...row });
					assertHarmless(row, scenario);
				});
			}
		}
	});
}
