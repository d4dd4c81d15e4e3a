import { readFileSync, writeFileSync } from 'node:fs';
import { stores, type Member } from './deployment.mts';

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100;

/** What several processes have used in total since the measurement began. */
interface Used {
	/** Seconds of processor time, in user mode and in the kernel. */
	processor: number;
	/** MiB that they use in addition, compared with the beginning. */
	held: number;
	/** The sum of each process's largest additional use, in MiB. */
	peak: number;
	/** The sum of each process's largest use, in MiB. */
	most: number;
}

function processorSeconds(pid: number): number {
	const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	// The name in brackets may contain spaces; the fields after it do not.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

function mebibytes(pid: number, name: 'VmRSS' | 'VmHWM'): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
	return Number(kibibytes) / 1024;
}

/** Starts to measure n8n without its databases; the returned function reads what it has used. */
export function meter(members: Member[]): () => Used {
	const own = members.filter(({ name }) => !stores.includes(name));
	const pids = own.flatMap((member) => member.pid() ?? []);
	const sum = (of: (pid: number) => number) => pids.reduce((total, pid) => total + of(pid), 0);
	const held = () => sum((pid) => mebibytes(pid, 'VmRSS'));
	// Resets the peak to what the process uses now.
	for (const pid of pids) writeFileSync(`/proc/${pid}/clear_refs`, '5');
	const before = { processor: sum(processorSeconds), held: held() };
	return () => {
		const most = sum((pid) => mebibytes(pid, 'VmHWM'));
		const processor = sum(processorSeconds) - before.processor;
		return { processor, held: held() - before.held, peak: most - before.held, most };
	};
}

/** Resident memory of the processes at one moment. */
export interface Sample {
	/** Seconds since the first sample. */
	at: number;
	/** MiB by process; undefined for one that is not running. */
	mb: Record<string, number | undefined>;
}

function resident(pid: number | undefined): number | undefined {
	try {
		return pid === undefined ? undefined : mebibytes(pid, 'VmRSS');
	} catch {
		// The process has just ended.
		return undefined;
	}
}

/** Samples every member's memory every 5 seconds until stopped. */
export function watchMemory(members: Member[]) {
	const started = Date.now();
	const samples: Sample[] = [];
	const take = () => {
		const mb = Object.fromEntries(members.map((one) => [one.name, resident(one.pid())] as const));
		samples.push({ at: (Date.now() - started) / 1000, mb });
	};
	const timer = setInterval(take, 5_000);
	return {
		stop(): Sample[] {
			clearInterval(timer);
			take();
			return samples;
		},
	};
}
