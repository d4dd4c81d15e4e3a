import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

export interface Counts {
	passed: number;
	failed: number;
}

/** How one test ended; `reason` says in words why it failed, or how this n8n differs. */
export interface Outcome {
	title: string;
	passed: boolean;
	reason?: string;
}

/** What one version of n8n does with the package. */
export interface Result {
	n8n: string;
	/** The tarball under test, named after its content. */
	tarball: string;
	node: string;
	/** In the order of the tests. */
	outcomes: Outcome[];
	/** Knows also of files that broke off before all their tests had run; absent when broken. */
	counts?: Counts;
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

function outcomeOf({ outcomes, broken }: Result, title: string): string {
	if (broken !== undefined) return 'not tested';
	const outcome = outcomes.find((candidate) => candidate.title === title);
	if (outcome === undefined) return 'not tested';
	if (outcome.passed) return cell(outcome.reason ?? 'works');
	return `fails: ${cell(outcome.reason ?? 'no reason given')}`;
}

const row = (cells: string[]) => `| ${cells.join(' | ')} |`;

/** A Markdown table with a row for each feature and a column for each version. */
export function table(results: Result[]): string {
	const titles = [
		...new Set(results.flatMap(({ outcomes }) => outcomes.map(({ title }) => title))),
	];
	return [
		row(['Feature', ...results.map(({ n8n }) => `n8n ${n8n}`)]),
		row(['---', ...results.map(() => '---')]),
		row(['Node.js', ...results.map(({ node }) => node)]),
		row([
			'Starts with the package',
			...results.map(({ broken }) => (broken === undefined ? 'yes' : cell(broken))),
		]),
		row([
			'Tests that failed, and files that broke off',
			...results.map(({ counts }) => (counts === undefined ? 'not tested' : `${counts.failed}`)),
		]),
		...titles.map((title) => row([title, ...results.map((result) => outcomeOf(result, title))])),
	].join('\n');
}
