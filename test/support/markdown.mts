import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The checkout. */
export const ROOT = join(import.meta.dirname, '../..');

/** The text of a file in the checkout. */
export const textFile = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The only fenced block of a document that shows a file with this name. */
export function codeBlock(markdown: string, name: string): string {
	const fence = new RegExp(`^\`\`\`\\S+ ${name.replace('.', '\\.')}\\n`, 'm');
	const [, ...blocks] = markdown.split(fence);
	if (blocks.length !== 1) throw new Error(`Not one code block "${name}"`);
	return String(blocks[0]).split(/^```$/m, 1).join();
}
