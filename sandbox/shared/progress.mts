import { statfsSync } from 'node:fs';
import type { Log } from './failure.mts';

export interface Progress {
	title: string;
	expectedSeconds: number;
	/** Its disk is watched, to show that something grows. */
	folder: string;
	log: Log;
}

function freeBytes(folder: string): number {
	try {
		const { bavail, bsize } = statfsSync(folder);
		return bavail * bsize;
	} catch {
		return 0;
	}
}

/** Shows that a long step is alive: a line each second on a terminal, else one each 15 s. */
export function showProgress({ title, expectedSeconds, folder, log }: Progress) {
	const started = Date.now();
	const freeBefore = freeBytes(folder) || freeBytes('.');
	const isTty = process.stdout.isTTY;
	const seconds = () => Math.round((Date.now() - started) / 1000);
	const describe = () => {
		const free = freeBytes(folder) || freeBytes('.');
		const written = Math.max(0, freeBefore - free) / 1e9;
		const expected =
			seconds() > expectedSeconds ? '(longer than usual)' : `of about ${expectedSeconds} s`;
		return `  ${title}: ${seconds()} s ${expected}, ${written.toFixed(1)} GB written`;
	};
	const show = () => {
		if (isTty) process.stdout.write(`\r\u001b[K${describe()}`);
		else log(describe());
	};
	if (!isTty) log(`  ${title} (about ${expectedSeconds} s) ...`);
	const timer = setInterval(show, isTty ? 1000 : 15_000);

	/** Ends the display with how long it took. */
	return (succeeded: boolean) => {
		clearInterval(timer);
		if (isTty) process.stdout.write('\r\u001b[K');
		log(`  ${title}: ${succeeded ? 'done' : 'failed'} after ${seconds()} s.`);
	};
}
