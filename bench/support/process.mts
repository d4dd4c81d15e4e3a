import { readFileSync, writeFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100;

/** Seconds of processor time that a process has used, in its own code and in the kernel. */
export function processorSeconds(pid: number): number {
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

/** MiB that a process holds in memory now. */
export const memory = (pid: number) => mebibytes(pid, 'VmRSS');

/** The most MiB that it has held since `forgetPeak`. */
export const peakMemory = (pid: number) => mebibytes(pid, 'VmHWM');

/** Lets the peak begin anew at what the process holds now. */
export function forgetPeak(pid: number): void {
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
