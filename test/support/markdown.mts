import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The checkout. */
export const ROOT = join(import.meta.dirname, '../..');

/** The text of a file in the checkout. */
export const textFile = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The path of every document in the repository that a person reads. */
export const DOCUMENTS = ['.', 'docs', '.github']
	.flatMap((folder) =>
		readdirSync(join(ROOT, folder))
			.filter((name) => name.endsWith('.md'))
			.map((name) => join(folder, name)),
	)
	.sort();

interface CodeBlock {
	/** The first word after the fence. */
	language: string;
	/** What follows the language: the name of the file that the block shows. */
	name: string;
	code: string;
}

const FENCE = /^(?<indent> *)```(?<language>\S*) ?(?<name>.*)\n(?<code>[\s\S]*?)^\k<indent>```$/gm;

/** The fenced blocks of a document, in order. */
export function codeBlocks(markdown: string): CodeBlock[] {
	return [...markdown.matchAll(FENCE)].map(({ groups }) => ({
		language: groups?.language ?? '',
		name: groups?.name ?? '',
		code: groups?.code ?? '',
	}));
}

/** The only block with this name; throws if there is none or more than one. */
export function codeBlock(markdown: string, wanted: string): string {
	const [block, ...others] = codeBlocks(markdown).filter(({ name }) => name === wanted);
	if (block === undefined || others.length > 0) throw new Error(`Not one code block "${wanted}"`);
	return block.code;
}

const withoutBlocks = (markdown: string) => markdown.replace(FENCE, '');

const SPAN = /(?<!`)`([^`\n]+)`(?!`)/g;

/** The texts between single backticks, outside blocks. */
export const codeSpans = (markdown: string) =>
	[...withoutBlocks(markdown).matchAll(SPAN)].map(([, code = '']) => code);

/** The targets of links and pictures, outside code. */
export const targets = (markdown: string) =>
	[
		...withoutBlocks(markdown)
			.replace(SPAN, '')
			.matchAll(/\]\(([^)\s]+)\)/g),
	].map(([, target = '']) => target);

/** The anchors of the headings, as GitHub generates them. */
export function anchors(markdown: string): string[] {
	const seen = new Map<string, number>();
	return [...withoutBlocks(markdown).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
		const slug = heading
			.trim()
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replace(/ /g, '-');
		const count = seen.get(slug) ?? 0;
		seen.set(slug, count + 1);
		return count === 0 ? slug : `${slug}-${count}`;
	});
}

/** The text from a heading to the next of the same or a higher level; throws if it is missing. */
export function section(markdown: string, heading: string): string {
	const lines = markdown.split('\n');
	const start = lines.findIndex((line) => /^#+ /.test(line) && line.endsWith(` ${heading}`));
	if (start === -1) throw new Error(`No heading "${heading}"`);
	const level = lines[start]?.indexOf(' ') ?? 0;
	const length = lines.slice(start + 1).findIndex((line) => {
		const hashes = /^(#+) /.exec(line)?.[1];
		return hashes !== undefined && hashes.length <= level;
	});
	return lines.slice(start, length === -1 ? undefined : start + 1 + length).join('\n');
}

/** The rows of the tables in a text, without header rows, as trimmed cells. */
export function tableRows(markdown: string): string[][] {
	const lines = markdown.split('\n');
	return lines
		.filter((line, index) => line.startsWith('|') && !isHead(lines, index))
		.map((line) =>
			line
				.slice(1, line.lastIndexOf('|'))
				.split('|')
				.map((cell) => cell.trim()),
		);
}

const isRule = (line: string | undefined) => /^\|[ :|-]+\|$/.test(line ?? '');
const isHead = (lines: string[], index: number) => isRule(lines[index]) || isRule(lines[index + 1]);
