import { readFile } from 'node:fs/promises';
import { poll } from '../shared/poll.mts';

/** The processes that a process has started, on Linux; none elsewhere. */
export async function childrenOf(pid: number): Promise<number[]> {
	const listed = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
	return listed
		.split(' ')
		.filter((word) => word !== '')
		.map(Number);
}

async function isRunning(pid: number): Promise<boolean> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
	// A zombie holds nothing any more.
	return status !== '' && !/^State:\s+Z/m.test(status);
}

/** Waits until none of the processes runs; a Failure after 20 s. */
export async function haveEnded(pids: number[]): Promise<void> {
	await poll({
		expected: `the processes ${pids.join(', ')} to end`,
		within: 20_000,
		pause: 20,
		read: async () => {
			const running = await Promise.all(pids.map(isRunning));
			return running.includes(true) ? undefined : true;
		},
	});
}
