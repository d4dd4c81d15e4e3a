import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { n8nFolder, root } from '../../sandbox/shared/paths.mts';
import { isTrial } from './runBench.mts';
import { table, type Row } from '../../sandbox/shared/tables.mts';

const results = path.join(root, 'bench', 'results');

/** Prints tables one below the other. */
export function show(tables: Row[][]): void {
	console.log(`\n${tables.map(table).join('\n\n')}\n`);
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

/** The results of a benchmark. */
export interface Report {
	/** Name of the benchmark and of its file in bench/results. */
	name: string;
	tables: Row[][];
	/** Every figure as measured. */
	raw: unknown;
}

/** As JSON, with each innermost list or object on a line of its own. */
function compact(content: unknown): string {
	const innermost = /[[{][^[\]{}]*[\]}]/g;
	const text = JSON.stringify(content, null, '\t');
	return `${text.replace(innermost, (part) => part.replace(/\s+/g, ' '))}\n`;
}

/** Prints the tables, and keeps the figures of the last run unless this is a trial. */
export async function report({ name, tables, raw }: Report): Promise<void> {
	show(tables);
	if (isTrial) return;
	await writeFile(path.join(results, `${name}.json`), compact({ run: await circumstances(), raw }));
}
