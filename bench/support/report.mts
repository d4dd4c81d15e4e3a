import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { Failure } from '../../sandbox/shared/failure.mts';
import { n8nFolder, root } from '../../sandbox/shared/paths.mts';

const page = path.join(root, 'docs', 'performance.md');
const results = path.join(root, 'bench', 'results');

export interface Table {
	head: string[];
	rows: string[][];
}

export interface Report {
	/** Name of the benchmark, of its section in docs/performance.md and of its file of figures. */
	name: string;
	tables: Table[];
	/** Every figure as it was measured. */
	raw: unknown;
}

async function versionOf(folder: string): Promise<string> {
	const manifest = await readFile(path.join(folder, 'package.json'), 'utf8');
	return (JSON.parse(manifest) as { version: string }).version;
}

/** What the figures depend on. */
async function circumstances() {
	return {
		date: new Date().toISOString().slice(0, 10),
		cores: cpus().length,
		processor: cpus()[0]?.model ?? 'unknown',
		memory: `${Math.round(totalmem() / 1024 ** 3)} GiB`,
		node: process.version,
		n8n: await versionOf(path.join(n8nFolder, 'node_modules', 'n8n')),
		package: await versionOf(root),
	};
}

const line = (cells: string[]) => `| ${cells.join(' | ')} |`;

function markdown({ head, rows }: Table): string {
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Replaces what stands between the section's two comments. */
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

/** Prints the tables, writes them to docs/performance.md and the figures to bench/results. */
export async function report({ name, tables, raw }: Report): Promise<void> {
	const run = await circumstances();
	const text = tables.map(markdown).join('\n\n');
	console.log(`\n${await format(text, { parser: 'markdown' })}`);
	await mkdir(results, { recursive: true });
	const file = path.join(results, `${name}.json`);
	const figures = await format(JSON.stringify({ run, raw }), {
		...(await resolveConfig(file)),
		parser: 'json',
	});
	await writeFile(file, figures);
	const { date, cores, processor, memory, node, n8n } = run;
	const where = `Measured on ${date}: n8n ${n8n}, Node.js ${node}, ${cores} cores (${processor}), ${memory}.`;
	await writeSection(name, `${text}\n\n${where}`);
}
