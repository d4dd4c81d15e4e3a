import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../../sandbox/shared/failure.mts';
import { root } from '../../../sandbox/shared/paths.mts';
import { variables, type Variables } from './variables.mts';

export interface Counts {
	passed: number;
	failed: number;
}

/** How one test ended; `reason` says in words why it failed or was skipped. */
export interface Outcome {
	title: string;
	passed: boolean;
	reason?: string;
}

const exitWithParent = path.join(root, 'sandbox', 'shared', 'exitWithParent.mts');

function passOn(addresses: Variables): void {
	for (const key of Object.keys(variables) as Array<keyof Variables>) {
		process.env[variables[key]] = addresses[key];
	}
}

/**
 * Runs test files one after the other, each in its own process, and reports as it goes. Files that
 * start everything themselves need no addresses.
 */
export async function runFiles(
	files: string[],
	addresses?: Variables,
	onTest: (outcome: Outcome) => void = () => undefined,
): Promise<Counts> {
	if (addresses !== undefined) passOn(addresses);
	const abort = new AbortController();
	process.once('exit', () => abort.abort());
	const events = run({
		files,
		concurrency: false,
		execArgv: ['--import', pathToFileURL(exitWithParent).href],
		signal: abort.signal,
	});
	events.on('test:pass', ({ name, details, skip }) => {
		const reason = typeof skip === 'string' ? skip : undefined;
		if (details.type !== 'suite') onTest({ title: name, passed: true, reason });
	});
	events.on('test:fail', ({ name, details: { type, error } }) => {
		if (type !== 'suite') onTest({ title: name, passed: false, reason: messageOf(error.cause) });
	});
	const counts: Counts = { passed: 0, failed: 0 };
	const durations: string[] = [];
	const reported = new Set<string>();
	events.on('test:summary', ({ file, counts: { tests, passed, skipped, todo }, ...summary }) => {
		if (file === undefined) return;
		reported.add(file);
		const notPassed = tests - passed - skipped - todo;
		counts.passed += passed;
		// A file that ends before its first test has no tests to count.
		counts.failed += notPassed === 0 && !summary.success ? 1 : notPassed;
		const seconds = (summary.duration_ms / 1000).toFixed(1);
		durations.push(`${seconds.padStart(7)} s  ${path.basename(file)}`);
	});
	for await (const text of events.compose(spec)) process.stdout.write(String(text));
	// A file that breaks off while it is loaded has no summary.
	for (const file of files.filter((name) => !reported.has(name))) {
		counts.failed += 1;
		durations.push(` broken    ${path.basename(file)}`);
	}
	console.log(`\n${durations.join('\n')}`);
	return counts;
}
