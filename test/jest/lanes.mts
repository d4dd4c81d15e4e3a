import { execa } from 'execa';

/** A command, and the name that it has in the table. */
export type Step = [name: string, command: string[]];

/** What became of a step. */
interface Result {
	suite: string;
	seconds: number;
	'processor seconds': number;
	passed: number;
	failed: number;
}

/** Lets bash run a command with its output in file 3, and then say how long it took. */
const timing = 'TIMEFORMAT="%R %U %S"; time "$@" >&3 2>&3';

/** Runs a command, prints its output when it has ended, and reads its totals. */
async function run([name, command]: Step): Promise<Result> {
	const args = ['-c', timing, 'bash', ...command];
	const stdio = ['ignore', 'inherit', 'pipe', 'pipe'] as const;
	const {
		stderr,
		stdio: files,
		exitCode = 1,
	} = await execa('bash', args, { stdio, reject: false });
	const output = String(files[3]);
	console.log(`\n${output}`);
	const [seconds = 0, user = 0, system = 0] = stderr.split(' ').map(Number);
	const [, passed = 0, failed = 0] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? [];
	// A command may fail without a failed test.
	const failures = exitCode === 0 ? Number(failed) : Math.max(1, Number(failed));
	const times = { seconds: Math.round(seconds), 'processor seconds': Math.round(user + system) };
	return { suite: name, ...times, passed: Number(passed), failed: failures };
}

/** Runs the steps of a lane one after the other. */
async function runLane(steps: Step[]): Promise<Result[]> {
	const results: Result[] = [];
	for (const step of steps) results.push(await run(step));
	return results;
}

/** Runs lanes at the same time; resolves to what became of each step. */
export const runLanes = async (lanes: Step[][]) => (await Promise.all(lanes.map(runLane))).flat();

/** Prints what each step took, and the totals alone in the last line; returns the exit code. */
export function report(results: Result[]): number {
	const sum = (column: 'passed' | 'failed') =>
		results.reduce((total, result) => total + result[column], 0);
	console.table(Object.fromEntries(results.map(({ suite, ...figures }) => [suite, figures])));
	console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
	return sum('failed') === 0 ? 0 : 1;
}
