import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';

/** A command, and the name that it has in the table. */
export type Step = [name: string, command: string[]];

/** What became of a step. */
interface Result {
	name: string;
	seconds: number;
	'processor seconds': number;
	passed: number;
	failed: number;
}

/** Lets bash run a command with its output in file 3, and then say how long it took. */
const timing = 'TIMEFORMAT="%R %U %S"; time "$@" >&3 2>&3';

/** Runs a command, prints its output when it has ended, and reads its totals. */
export async function run([name, command]: Step): Promise<Result> {
	const child = spawn('bash', ['-c', timing, 'bash', ...command], {
		stdio: ['ignore', 'inherit', 'pipe', 'pipe'],
	});
	const [, , times, file] = child.stdio as Readable[];
	const [said, output, [code]] = await Promise.all([
		text(times as Readable),
		text(file as Readable),
		once(child, 'close') as Promise<[number | null]>,
	]);
	console.log(`\n${output}`);
	const [seconds = 0, user = 0, system = 0] = said.split(' ').map(Number);
	const [, passed = 0, failed = 0] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? [];
	return {
		name,
		seconds: Math.round(seconds),
		'processor seconds': Math.round(user + system),
		passed: Number(passed),
		// A command may fail without a failed test.
		failed: code === 0 ? Number(failed) : Math.max(1, Number(failed)),
	};
}

/** Runs steps one after the other. */
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
	console.table(Object.fromEntries(results.map(({ name, ...figures }) => [name, figures])));
	console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
	return sum('failed') === 0 ? 0 : 1;
}
