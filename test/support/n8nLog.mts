import { readFileSync, statSync } from 'node:fs';
import { environment } from './environment.mts';
import { until } from './until.mts';

/** n8n's log; in queue mode, the log of each process. */
const files = environment.logs;

/** A position in each log; 0 is the beginning of all of them. */
type LogPlace = number[] | 0;

/** Where n8n's log ends now. */
export const logEnd = (): LogPlace => files.map((file) => statSync(file).size);

/** What n8n has logged since a position in its log. */
function logSince(place: LogPlace): string {
	const since = (file: string, index: number) =>
		readFileSync(file).subarray(place === 0 ? 0 : place[index]);
	return Buffer.concat(files.map(since)).toString('utf8');
}

/** Waits until n8n has logged a text after a position in its log. */
export async function waitForLog(place: LogPlace, text: string): Promise<void> {
	await until(`n8n logs "${text}"`, () => logSince(place).includes(text));
}
