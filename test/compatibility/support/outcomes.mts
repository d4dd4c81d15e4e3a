import { appendFileSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { folderOf } from '../../support/addresses.mts';

const file = path.join(folderOf('compatibility'), 'differences.jsonl');

/** Says how this version of n8n differs in what the running test is about. */
export function differs(reason: string): void {
	const { currentTestName } = expect.getState();
	appendFileSync(file, `${JSON.stringify([currentTestName, reason])}\n`);
}

/** The reasons of the last run, by the full name of the test. */
export function readDifferences(): Map<string, string> {
	try {
		const lines = readFileSync(file, 'utf8').trim().split('\n');
		return new Map(lines.map((line) => JSON.parse(line) as [string, string]));
	} catch {
		return new Map();
	}
}

/** What one version of n8n does with the package. */
export interface Result {
	n8n: string;
	/** The tarball under test, named after its content. */
	tarball: string;
	node: string;
	/** How each test ended, in words, by its title and in the order of the tests. */
	outcomes: Record<string, string>;
	/** Knows also of files that broke off before all their tests had run; absent when broken. */
	counts?: { passed: number; failed: number };
	/** Why nothing was tested: n8n could not be installed or started. */
	broken?: string;
}

/** Stores a result beside those of other versions with the same tarball; answers all of them. */
export async function store(file: string, result: Result): Promise<Result[]> {
	await mkdir(path.dirname(file), { recursive: true });
	const text = await readFile(file, 'utf8').catch(() => '[]');
	const isOther = ({ n8n, tarball }: Result) => n8n !== result.n8n && tarball === result.tarball;
	const results = [...(JSON.parse(text) as Result[]).filter(isOther), result];
	results.sort((one, other) => one.n8n.localeCompare(other.n8n, 'en', { numeric: true }));
	await writeFile(file, `${JSON.stringify(results, null, '\t')}\n`);
	return results;
}

/** One line, short enough for a cell. */
function cell(text: string): string {
	const line = text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
	return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}

/** A Markdown table with a row for each feature and a column for each version. */
export function table(results: Result[]): string {
	const row = (title: string, cellOf: (result: Result) => string | undefined) =>
		`| ${[title, ...results.map((one) => cell(cellOf(one) ?? 'not tested'))].join(' | ')} |`;
	const titles = new Set(results.flatMap(({ outcomes }) => Object.keys(outcomes)));
	return [
		row('Feature', ({ n8n }) => `n8n ${n8n}`),
		row('---', () => '---'),
		row('Node.js', ({ node }) => node),
		row('Starts with the package', ({ broken = 'yes' }) => broken),
		row('Tests that failed, and files that broke off', ({ counts }) => counts?.failed.toString()),
		...[...titles].map((title) => row(title, ({ outcomes }) => outcomes[title])),
	].join('\n');
}
