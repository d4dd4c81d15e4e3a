import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Member } from '../deployment/deployment.mts';
import type { Row } from '../deployment/figures.mts';
import { slope } from './statistics.mts';

const execute = promisify(execFile);
const pause = 5_000;
/** The part of the samples that belongs to warming up. */
const warmUp = 0.2;

/** Resident memory of the processes at one time. */
export interface Sample {
	/** Seconds since the first. */
	at: number;
	/** MiB by process; undefined for one that does not run. */
	mb: { [name: string]: number | undefined };
}

async function residentMebibytes(pid: number): Promise<number | undefined> {
	const { stdout } = await execute('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => ({
		stdout: '',
	}));
	return stdout.trim() === '' ? undefined : Number(stdout) / 1024;
}

/** Takes a sample every few seconds until it is stopped. */
export function watchMemory(members: Member[]) {
	const started = Date.now();
	const samples: Sample[] = [];
	const take = async () => {
		const mb: Sample['mb'] = {};
		for (const member of members) {
			const pid = member.pid();
			if (pid !== undefined) mb[member.name] = await residentMebibytes(pid);
		}
		samples.push({ at: (Date.now() - started) / 1000, mb });
	};
	const timer = setInterval(() => void take(), pause);
	return {
		async stop(): Promise<Sample[]> {
			clearInterval(timer);
			await take();
			return samples;
		},
	};
}

/** Memory of each process after warming up: where it began, where it ended, and its slope. */
export function memoryRows(mode: string, samples: Sample[]): Row[] {
	const after = samples.slice(Math.floor(samples.length * warmUp));
	const names = Object.keys(samples[0]?.mb ?? {});
	return names.map((name) => {
		const points = after.flatMap(({ at, mb }) => {
			const y = mb[name];
			return y === undefined ? [] : [{ x: at / 60, y }];
		});
		const all = samples.flatMap(({ mb }) => mb[name] ?? []);
		return {
			mode,
			process: name,
			'first MiB': Math.round(all[0] ?? 0),
			'after warm-up MiB': Math.round(points[0]?.y ?? 0),
			'last MiB': Math.round(points.at(-1)?.y ?? 0),
			'most MiB': Math.round(Math.max(0, ...all)),
			'MiB/min after warm-up': Number(slope(points).toFixed(2)),
			samples: all.length,
		};
	});
}
