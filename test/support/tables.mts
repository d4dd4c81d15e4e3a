import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** One row of a table: numbers and texts by column name. */
export type Row = Record<string, string | number>;

/** A Markdown table of rows with the columns of all rows, in order of first appearance. */
export function table(rows: Row[]): string {
	const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const line = (cells: Array<string | number>) => `| ${cells.join(' | ')} |`;
	return [
		line(columns),
		line(columns.map(() => '---')),
		...rows.map((row) => line(columns.map((column) => row[column] ?? ''))),
	].join('\n');
}

/** Writes anything as JSON, and creates the folder if needed. */
export async function save(file: string, content: unknown): Promise<void> {
	await mkdir(path.dirname(file), { recursive: true });
	await writeFile(file, `${JSON.stringify(content, null, '\t')}\n`);
}
