import { statfsSync } from 'node:fs';
import logUpdate from 'log-update';
import { run, type Command } from './command.mts';
import { Failure, type Log } from './failure.mts';

export interface Step extends Command {
	title: string;
	expectedSeconds: number;
	/** Its disk is watched, to show that something grows. */
	folder?: string;
	/** What to do when it fails; ends the sentence that names the log file. */
	advice: string;
	log: Log;
}

/** What is under way at the same time: each is a line at the end of the terminal. */
const underWay = new Set<() => string>();

const draw = () => logUpdate([...underWay].map((describe) => describe()).join('\n'));

function freeBytes(folder: string): number {
	try {
		const { bavail, bsize } = statfsSync(folder);
		return bavail * bsize;
	} catch {
		return freeBytes('.');
	}
}

/** Shows that a step is alive: a line each second on a terminal, else one each 15 s. */
function showProgress({ title, expectedSeconds, folder, log }: Step) {
	const started = Date.now();
	const freeBefore = folder === undefined ? 0 : freeBytes(folder);
	const { isTTY } = process.stdout;
	const seconds = () => Math.round((Date.now() - started) / 1000);
	const describe = () => {
		const expected =
			seconds() > expectedSeconds ? '(longer than usual)' : `of about ${expectedSeconds} s`;
		const line = `  ${title}: ${seconds()} s ${expected}`;
		if (folder === undefined) return line;
		const written = Math.max(0, freeBefore - freeBytes(folder)) / 1e9;
		return `${line}, ${written.toFixed(1)} GB written`;
	};
	if (!isTTY) log(`  ${title} (about ${expectedSeconds} s) ...`);
	underWay.add(describe);
	const timer = setInterval(isTTY ? draw : () => log(describe()), isTTY ? 1000 : 15_000);

	/** Ends the display with how long it took. */
	return (succeeded: boolean) => {
		clearInterval(timer);
		underWay.delete(describe);
		if (isTTY) logUpdate.clear();
		if (underWay.size === 0) logUpdate.done();
		log(`  ${title}: ${succeeded ? 'done' : 'failed'} after ${seconds()} s.`);
	};
}

/** Runs a step, beside others or alone, and returns its stdout; a Failure names its log file. */
export async function runStep(step: Step): Promise<string> {
	const finish = showProgress(step);
	const output = await run(step);
	finish(output !== undefined);
	if (output !== undefined) return output;
	throw new Failure(`${step.title} failed: see ${step.logFile}, ${step.advice}.`);
}
