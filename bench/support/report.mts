import { execa } from 'execa';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { Failure } from '../../sandbox/shared/failure.mts';
import { runCommand } from '../../sandbox/shared/lifetime.mts';
import { holdLock } from '../../sandbox/shared/lock.mts';
import { n8nFolder, root } from '../../sandbox/shared/paths.mts';

/** Whether this is a trial: a few small runs that only show that a benchmark works. */
const isTrial = process.argv.includes('--trial');

/** How much a benchmark does, in full or in a trial. */
export const amount = (full: number, trial: number): number => (isTrial ? trial : full);

/** One row of a table: numbers and texts by column name. */
export type Row = Record<string, string | number>;

/** A figure that the documents promise, and its bound. */
type Promised = { what: string; value: number; atLeast?: number; atMost?: number };

/** The results of a benchmark. */
export interface Report {
	tables: Row[][];
	/** Every figure as measured. */
	raw: unknown;
	promised: Promised[];
}

function markdown(rows: Row[]): string {
	const columns = Object.keys(rows[0] ?? {});
	const line = (cells: Array<string | number>) => `| ${cells.join(' | ')} |`;
	const body = rows.map((row) => line(columns.map((column) => row[column] ?? '')));
	return [line(columns), line(columns.map(() => '---')), ...body].join('\n');
}

async function manifestOf(folder: string) {
	const text = await readFile(path.join(folder, 'package.json'), 'utf8');
	return JSON.parse(text) as { version: string; dependencies: { n8n: string } };
}

/** The commit of this checkout, and whether what is measured has changed since. */
async function commit(): Promise<string> {
	const git = async (...args: string[]) =>
		(await execa('git', args, { cwd: root, reject: false })).stdout;
	const name = (await git('rev-parse', '--short', 'HEAD')) || 'unknown';
	const changes = await git('status', '--porcelain', '--', '.', ':!docs', ':!bench/results');
	return changes === '' ? name : `${name}, with changes`;
}

/** What the figures depend on. */
async function circumstances() {
	return {
		date: new Date().toISOString().slice(0, 10),
		commit: await commit(),
		cores: cpus().length,
		processor: cpus()[0]?.model ?? 'unknown',
		memory: `${Math.round(totalmem() / 1024 ** 3)} GiB`,
		node: process.version,
		n8n: (await manifestOf(n8nFolder)).dependencies.n8n,
		package: (await manifestOf(root)).version,
	};
}

/** As JSON, with each innermost list or object on a line of its own. */
function compact(content: unknown): string {
	const innermost = /[[{][^[\]{}]*[\]}]/g;
	const text = JSON.stringify(content, null, '\t');
	return `${text.replace(innermost, (part) => part.replace(/\s+/g, ' '))}\n`;
}

function isKept({ what, value, atLeast = -Infinity, atMost = Infinity }: Promised): boolean {
	const kept = value >= atLeast && value <= atMost;
	const bound = atLeast === -Infinity ? `at most ${atMost}` : `at least ${atLeast}`;
	console.log(`${kept ? '✓' : '✗'} ${what}: ${value.toFixed(2)}, ${bound}`);
	return kept;
}

/**
 * Runs a benchmark, one at a time, says before how long that takes, and prints its tables.
 * Unless this is a trial, it writes its tables and every figure to bench/results and fails if one is
 * beyond what is promised.
 */
export async function runBench(
	name: string,
	takes: string,
	main: () => Report | Promise<Report>,
): Promise<void> {
	await runCommand(async () => {
		if (!(await holdLock('bench'))) {
			throw new Failure('A benchmark of this checkout is running already: wait for it.');
		}
		console.log(`${name}: about ${isTrial ? 'half a minute' : takes}.`);
		const run = await circumstances();
		const { tables, raw, promised } = await main();
		console.log(`\n${tables.map(markdown).join('\n\n')}\n`);
		if (isTrial) return 0;
		const file = path.join(root, 'bench', 'results', `${name}.json`);
		await writeFile(file, compact({ run, tables, raw }));
		return promised.map(isKept).every(Boolean) ? 0 : 1;
	}, 130);
}
