import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { folderOf } from '../../support/addresses.mts';

const file = path.join(folderOf('compatibility'), 'differences.jsonl');

/** Records how this version of n8n differs in what the running test covers. */
export function differs(reason: string): void {
	const { currentTestName } = expect.getState();
	appendFileSync(file, `${JSON.stringify([currentTestName, reason])}\n`);
}

/** The reasons from the last run, by the full name of the test. */
export function readDifferences(): Map<string, string> {
	try {
		const lines = readFileSync(file, 'utf8').trim().split('\n');
		return new Map(lines.map((line) => JSON.parse(line) as [string, string]));
	} catch {
		return new Map();
	}
}
