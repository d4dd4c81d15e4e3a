import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { Failure } from '../../sandbox/shared/failure.mts';
import { n8nFolder, root } from '../../sandbox/shared/paths.mts';
import { isTrial } from './runBench.mts';
import { table, type Row } from './tables.mts';

const page = path.join(root, 'docs', 'performance.md');
const results = path.join(root, 'bench', 'results');

/** Prints tables one below the other, with aligned columns. */
export async function show(tables: Row[][]): Promise<void> {
	const text = tables.map(table).join('\n\n');
	console.log(`\n${await format(text, { parser: 'markdown' })}`);
}

async function versionOf(folder: string): Promise<string> {
	const manifest = await readFile(path.join(folder, 'package.json'), 'utf8');
	return (JSON.parse(manifest) as { version: string }).version;
}

/** The version that the sandbox installs. A benchmark that needs no n8n runs without it. */
async function n8nVersion(): Promise<string> {
	const manifest = await readFile(path.join(n8nFolder, 'package.json'), 'utf8');
	return (JSON.parse(manifest) as { dependencies: { n8n: string } }).dependencies.n8n;
}

/** What the figures depend on. */
async function circumstances() {
	return {
		date: new Date().toISOString().slice(0, 10),
		cores: cpus().length,
		processor: cpus()[0]?.model ?? 'unknown',
		memory: `${Math.round(totalmem() / 1024 ** 3)} GiB`,
		node: process.version,
		n8n: await n8nVersion(),
		package: await versionOf(root),
	};
}

/** Replaces the text between the section's two comments. */
async function writeSection(name: string, text: string): Promise<void> {
	const [start, end] = [`<!-- ${name}: start -->`, `<!-- ${name}: end -->`];
	const before = await readFile(page, 'utf8');
	const [head, rest] = before.split(start);
	const tail = rest?.split(end)[1];
	if (head === undefined || tail === undefined) {
		throw new Failure(`docs/performance.md has no place for ${name}: add ${start} and ${end}.`);
	}
	const after = `${head}${start}\n\n${text}\n\n${end}${tail}`;
	await writeFile(page, await format(after, { parser: 'markdown' }));
}

/** The results of a benchmark. */
export interface Report {
	/** Name of the benchmark, of its section in docs/performance.md and of its file of figures. */
	name: string;
	tables: Row[][];
	/** Every figure as measured. */
	raw: unknown;
}

/**
 * Prints the tables, and writes them to docs/performance.md and the figures to bench/results unless
 * this is a trial.
 */
export async function report({ name, tables, raw }: Report): Promise<void> {
	await show(tables);
	if (isTrial) return;
	const run = await circumstances();
	const file = path.join(results, `${name}.json`);
	const options = { ...(await resolveConfig(file)), parser: 'json' };
	await writeFile(file, await format(JSON.stringify({ run, raw }), options));
	const { date, cores, processor, memory, node, n8n } = run;
	const where = `Measured on ${date}: n8n ${n8n}, Node.js ${node}, ${cores} cores (${processor}), ${memory}.`;
	await writeSection(name, `${tables.map(table).join('\n\n')}\n\n${where}`);
}
