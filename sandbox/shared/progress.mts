import { statfsSync } from 'node:fs';
import logUpdate from 'log-update';
import { run, type Command } from './command.mts';
import { Failure, type Log } from './failure.mts';

export interface Step extends Command {
	title: string;
	expectedSeconds: number;
	/** How far it has come, for the end of its line. */
	progress?: () => string;
	/** What to do if it fails; ends the sentence that names the log file. */
	advice: string;
	log: Log;
}

/** The steps that are running; each has a line at the end of the terminal. */
const underWay = new Set<() => string>();

const draw = () => logUpdate([...underWay].map((describe) => describe()).join('\n'));

/** The free space on a folder's disk. */
export function freeGigabytes(folder: string): number {
	const { bavail, bsize } = statfsSync(folder);
	return (bavail * bsize) / 1e9;
}

/** Runs a step, shows its progress and returns its stdout; a Failure names its log file. */
export async function runStep(step: Step): Promise<string> {
	const { title, expectedSeconds, progress, advice, log, logFile } = step;
	const started = Date.now();
	const { isTTY } = process.stdout;
	const seconds = () => Math.round((Date.now() - started) / 1000);
	const describe = () => {
		const isLate = seconds() > expectedSeconds;
		const expected = isLate ? '(longer than usual)' : `of about ${expectedSeconds} s`;
		const line = `  ${title}: ${seconds()} s ${expected}`;
		return progress === undefined ? line : `${line}, ${progress()}`;
	};
	if (!isTTY) log(`  ${title} (about ${expectedSeconds} s) ...`);
	underWay.add(describe);
	const timer = setInterval(isTTY ? draw : () => log(describe()), isTTY ? 1000 : 15_000);

	const output = await run(step);
	clearInterval(timer);
	underWay.delete(describe);
	if (isTTY) logUpdate.clear();
	if (underWay.size === 0) logUpdate.done();
	log(`  ${title}: ${output === undefined ? 'failed' : 'done'} after ${seconds()} s.`);
	if (output !== undefined) return output;
	throw new Failure(`${title} failed: see ${logFile}, ${advice}.`);
}
