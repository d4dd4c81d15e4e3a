import assert from 'node:assert/strict';
import type { N8nRest } from '../../sandbox/n8n/rest.mts';
import { failureOf, outputOf, type Execution } from '../../sandbox/n8n/types.mts';
import type { ExecutionSummary, WorkflowFile } from '../../sandbox/n8n/types.mts';
import { finished } from './executions.mts';
import { openBench, type ExampleBench } from './examples.mts';
import { openFront, type Front } from './front.mts';
import { until } from './until.mts';

/** n8n looks for waits that are over only once a minute. */
export const waitTracker = 100_000;

/** A limit that is over at once; n8n sees it within a minute. */
export const shortLimit = { resumeAmount: 1, resumeUnit: 'seconds' };

/** One manual run of an example that waits, with a mailbox and a credential of its own. */
export interface ExampleRun {
	bench: ExampleBench;
	/** Where its calls to the service pass. */
	front: Front;
	executionId: string;
	/** Once the execution is stored as waiting. */
	waits(): Promise<void>;
	/** The execution once it has ended well. */
	ended(): Promise<Execution>;
	/** The link in the first email to somebody. */
	linkOf(email: string): Promise<string>;
	/** The subjects of all emails to somebody, oldest first. */
	subjects(email: string): Promise<string[]>;
	close(): Promise<void>;
}

export async function startExample(
	name: string,
	run: string,
	change: (file: WorkflowFile) => WorkflowFile = (file) => file,
): Promise<ExampleRun> {
	const front = await openFront();
	const bench = await openBench(run, { productionBaseUrl: front.url });
	const { id } = await bench.load(name, { change });
	const executionId = await bench.rest.runManually(id, 'When you press the button');
	return {
		...{ bench, front, executionId },
		waits: () => waits(bench.rest, executionId),
		ended: async () => {
			const execution = await finished(bench.rest, executionId, waitTracker);
			assert.equal(execution.status, 'success', failureOf(execution));
			return execution;
		},
		linkOf: async (email) => (await bench.mailsTo(email))[0]?.links[0] ?? '',
		subjects: async (email) => (await bench.mails(email)).map(({ subject }) => subject),
		close: async () => {
			await front.close();
			await bench.close();
		},
	};
}

export const statusOf = async (rest: N8nRest, id: string) =>
	(await rest.send<ExecutionSummary>('GET', `/rest/executions/${id}`)).status;

async function waits(rest: N8nRest, id: string): Promise<void> {
	await until('the execution waits', async () => {
		const status = await statusOf(rest, id);
		if (status === 'error') assert.fail(failureOf(await rest.getExecution(id)));
		return status === 'waiting' ? true : undefined;
	});
}

/** When n8n ends the wait at the latest, in milliseconds from now. */
export async function limitOf({ bench, executionId }: ExampleRun): Promise<number> {
	const route = `/rest/executions/${executionId}`;
	const { waitTill } = await bench.rest.send<{ waitTill: string }>('GET', route);
	return new Date(waitTill).getTime() - Date.now();
}

/** The addresses that Get Answers has put out. */
export const addressesOf = (execution: Execution, node: string) =>
	outputOf(execution, node).flatMap(({ label, value }) =>
		label === 'Delivery address' ? [value] : [],
	);

/** Opens the guest page as somebody who then goes away. */
export async function join(
	guestLink: string,
	{ name, email }: { name: string; email: string },
): Promise<void> {
	const body = new URLSearchParams({ name, email });
	const response = await fetch(`${guestLink}/join`, { method: 'POST', body, redirect: 'manual' });
	assert.equal(response.status, 303, await response.text());
}

export const requestIdOf = (guestLink: string) => guestLink.split('/').at(-1) ?? '';
