import { readFileSync, writeFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100;

export interface Used {
	/** Seconds of processor time, in the processes' own code and in the kernel. */
	processor: number;
	/** MiB that they hold more than at the beginning. */
	held: number;
	/** MiB that each held more than at the beginning, at its most. */
	peak: number;
}

function processorSeconds(pid: number): number {
	const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	// The name in brackets may hold spaces; the fields after it are numbers.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

function mebibytes(pid: number, name: 'VmRSS' | 'VmHWM'): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
	return Number(kibibytes) / 1024;
}

/** Lets the peak begin anew at what the process holds now. */
function forgetPeak(pid: number): void {
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Begins to measure processes; the answer tells what they have used since then, all together. */
export function meter(pids: number[]): () => Used {
	const sum = (of: (pid: number) => number) => pids.reduce((total, pid) => total + of(pid), 0);
	const held = () => sum((pid) => mebibytes(pid, 'VmRSS'));
	for (const pid of pids) forgetPeak(pid);
	const before = { processor: sum(processorSeconds), held: held() };
	return () => ({
		processor: sum(processorSeconds) - before.processor,
		held: held() - before.held,
		peak: sum((pid) => mebibytes(pid, 'VmHWM')) - before.held,
	});
}
