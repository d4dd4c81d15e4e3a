import { run, type Command } from './command.mts';
import { Failure, type Log } from './failure.mts';

export interface Step extends Command {
	title: string;
	expectedSeconds: number;
	/** What to do if it fails; ends the sentence that names the log file. */
	advice: string;
	log: Log;
}

/** Runs a step, says every 15 seconds that it goes on, and returns its stdout; or a Failure. */
export async function runStep(step: Step): Promise<string> {
	const { title, expectedSeconds, advice, log, logFile } = step;
	const started = Date.now();
	const seconds = () => Math.round((Date.now() - started) / 1000);
	log(`  ${title} (about ${expectedSeconds} s) ...`);
	const timer = setInterval(() => log(`  ${title}: ${seconds()} s ...`), 15_000);
	const output = await run(step);
	clearInterval(timer);
	if (output === undefined) throw new Failure(`${title} failed: see ${logFile}, ${advice}.`);
	log(`  ${title}: done after ${seconds()} s.`);
	return output;
}
