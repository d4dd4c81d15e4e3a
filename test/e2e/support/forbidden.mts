import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { userFolder } from './environment.mts';

const file = path.join(userFolder, 'forbidden.jsonl');
const shortestRecognisable = 8;

/** Notes a text that must appear neither in n8n's log nor in execution data; short ones cannot. */
export function forbid(...texts: string[]): void {
	const lines = texts
		.filter((text) => text.length >= shortestRecognisable)
		.map((text) => `${JSON.stringify(text)}\n`);
	appendFileSync(file, lines.join(''), { mode: 0o600 });
}

/** Every text noted by any test file of this run. */
export function forbidden(): string[] {
	if (!existsSync(file)) return [];
	const lines = readFileSync(file, 'utf8').split('\n');
	return [
		...new Set(lines.filter((line) => line !== '').map((line) => JSON.parse(line) as string)),
	];
}

/** Inside JSON a text is escaped, and once more when it is JSON inside JSON. */
function spellings(text: string): string[] {
	const once = JSON.stringify(text).slice(1, -1);
	const twice = JSON.stringify(once).slice(1, -1);
	return [...new Set([text, once, twice])];
}

let known: string[] | undefined;

/** True when a text that was noted before the first call occurs, however it is escaped. */
export function containsSecret(text: string): boolean {
	known ??= forbidden().flatMap(spellings);
	return known.some((spelling) => text.includes(spelling));
}
