import { stores, type Member } from '../../test/deployment/deployment.mts';
import { mapSome } from '../../test/deployment/counter.mts';
import { completeAndNotify, sandboxAt, type Sandbox } from '../../test/deployment/sandbox.mts';
import { startWaiting, type Waits } from '../../test/deployment/waiting.mts';
import { Failure } from '../../sandbox/shared/failure.mts';
import { poll } from '../../sandbox/shared/poll.mts';
import { meter } from './process.mts';

/** Requests that are completed side by side. */
const atOnce = 10;
const resumeWithin = 600_000;

export interface WaitRun {
	/** Milliseconds until all executions wait. */
	start: number;
	/** Milliseconds from the first completion until all executions have succeeded. */
	resume: number;
	/** Seconds of processor time for both. */
	processor: number;
	/** MiB that n8n holds more while all of them wait. */
	held: number;
}

export interface Waiting extends Waits {
	/** Of the emulated service. */
	serviceUrl: string;
	pids: number[];
}

/** Those of n8n itself, without what it stores its data in. */
export const pidsOf = (members: Member[]): number[] =>
	members.flatMap((member) => (stores.includes(member.name) ? [] : (member.pid() ?? [])));

/** Completes a request; resolves when n8n has answered its notification. */
async function complete(sandbox: Sandbox, id: string): Promise<void> {
	const { statusCode, error } = await completeAndNotify(sandbox, id);
	if (statusCode !== 200) throw new Failure(`n8n answered ${statusCode ?? error} about ${id}.`);
}

/** Lets `size` executions wait, completes all their requests, and waits for them to succeed. */
export async function runWaits(waiting: Waiting, size: number): Promise<WaitRun> {
	const { rest, reader, serviceUrl, pids } = waiting;
	const sandbox = sandboxAt(serviceUrl);
	const used = meter(pids);
	const started = Date.now();
	const { workflow, identifier } = await startWaiting(waiting, size);
	const start = Date.now() - started;
	const { held } = used();
	const requests = await sandbox.requests(identifier);
	if (requests.length !== size) {
		throw new Failure(`${requests.length} requests in place of ${size}`);
	}
	const completed = Date.now();
	await mapSome(requests, atOnce, async ({ request }) => await complete(sandbox, request._id));
	const succeeded = () => reader.count(workflow.id, ['success']);
	await poll({
		expected: `${size} executions to succeed`,
		within: resumeWithin,
		read: async () => ((await succeeded()) >= size ? true : undefined),
		describe: async () => `${await succeeded()} have.`,
	});
	const resume = Date.now() - completed;
	await rest.deactivate(workflow.id);
	return { start, resume, processor: used().processor, held };
}
