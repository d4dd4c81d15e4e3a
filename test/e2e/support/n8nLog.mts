import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { userFolder } from './environment.mts';
import { until } from './until.mts';

const file = path.join(userFolder, 'n8n.log');

/** Where n8n's log ends now. */
export const logEnd = () => statSync(file).size;

/** What n8n has logged since a place in its log. */
export function logSince(place: number): string {
	return readFileSync(file).subarray(place).toString('utf8');
}

/** Waits until n8n has logged a text after a place in its log. */
export async function waitForLog(place: number, text: string): Promise<void> {
	await until(`n8n logs "${text}"`, () =>
		Promise.resolve(logSince(place).includes(text) ? true : undefined),
	);
}
