import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { folderOf } from './addresses.mts';

const shortestRecognisable = 8;

const fileOf = (suite: string) => path.join(folderOf(suite), 'forbidden.jsonl');

/** Records a text that must appear neither in n8n's logs nor in what it stores; skips short ones. */
export function forbid(...texts: string[]): void {
	const lines = texts
		.filter((text) => text.length >= shortestRecognisable)
		.map((text) => `${JSON.stringify(text)}\n`);
	appendFileSync(fileOf(process.env.TEST_SUITE ?? ''), lines.join(''), { mode: 0o600 });
}

/** Every text that the suite has recorded, also as written inside JSON, and inside JSON in JSON. */
export function forbidden(suite: string): string[] {
	if (!existsSync(fileOf(suite))) return [];
	const lines = readFileSync(fileOf(suite), 'utf8').trim().split('\n');
	const once = lines.map((line) => line.slice(1, -1));
	const twice = once.map((text) => JSON.stringify(text).slice(1, -1));
	const plain = lines.map((line) => JSON.parse(line) as string);
	return [...new Set([...plain, ...once, ...twice])];
}
