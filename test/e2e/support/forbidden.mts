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
