import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { newExecution, runAction, type ActionRun, type Execution } from './engine.mts';
import { service, type Answer, type Statuses } from './faultServer.mts';
import { startTriggerHost, type HostOptions } from './triggerHost.mts';

// The operation Wait for the collection requests that its input items name. What Create nodes before
// it have created is in `flow.mts`.

/** IDs of so many collection requests: r0, r1, … */
export const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `r${index}`);
export const allOf = (ids: string[], status: string | Answer): Statuses =>
	Object.fromEntries(ids.map((id) => [id, status]));

/** An execution in which the service reports on these collection requests to a Wait. */
export async function reportedExecution(
	ids: string[],
	execution = newExecution(),
	credential: ActionRun['credential'] = {},
): Promise<Execution> {
	const { run } = await runAction({
		parameters: {
			resource: 'collectionRequest',
			operation: 'create',
			templateId: '={{ $json.requestId }}',
		},
		input: ids.map((requestId) => ({ requestId })),
		answer: service({}),
		// An agent decides what comes later, so Create reports without a Wait behind it.
		settings: { type: 'n8n-nodes-data-collection.dataCollectionTool' },
		execution,
		credential,
	});
	return { ...execution, contextData: run.data.executionData?.contextData };
}

/**
 * Runs Wait for items that name collection requests, which by default are reported to the execution.
 * `until` is when n8n would resume, `kept` what it stores, `timedOut` what comes out then.
 */
export async function wait(
	statuses: Statuses | Answer,
	items: Array<string | IDataObject>,
	parameters: INodeParameters = {},
	more: Partial<ActionRun> = {},
) {
	const input = items.map((item) => (typeof item === 'string' ? { requestId: item } : item));
	const ids = new Set(input.map(({ requestId }) => requestId as string));
	const execution = more.execution ?? (await reportedExecution([...ids]));
	const outcome = await runAction({
		answer: typeof statuses === 'function' ? statuses : service(statuses),
		input,
		...more,
		parameters: {
			resource: 'collectionRequest',
			operation: 'wait',
			which: 'requestId',
			requestId: '={{ $json.requestId }}',
			...parameters,
		},
		execution,
	});
	const { waitTill, data } = outcome.run;
	const { contextData, nodeExecutionStack } = data.executionData ?? {};
	return {
		...outcome,
		execution: { ...execution, contextData },
		until: waitTill ?? undefined,
		kept: contextData?.['node:Node']?.dataCollection as { executionId: string },
		timedOut: nodeExecutionStack?.[0]?.data.main?.[1],
	};
}

interface Waiting {
	parameters?: INodeParameters;
	/** What has changed by the time a notification arrives. */
	host?: HostOptions;
	/** The statuses when the wait begins; open by default. */
	statuses?: Statuses;
	/** An execution that has waited before. */
	execution?: Execution;
	/** Whether another process gets the notifications than the one in which the wait began. */
	isElsewhere?: boolean;
}

/** Makes the node wait for these collection requests; `notify` sends a notification as the service does. */
export async function waiting(ids: string[], { parameters, host, ...more }: Waiting = {}) {
	const { execution, isElsewhere } = more;
	const statuses: Statuses = { ...allOf(ids, 'open'), ...more.statuses };
	const begun = await wait(statuses, ids, parameters, { execution });
	const { run, requests, serviceUrl = '', error, until, kept } = begun;
	expect({ error, waits: until !== undefined }).toEqual({ error: undefined, waits: true });
	// Another process knows what is stored, and nothing else.
	if (isElsewhere) kept.executionId += ', unknown to this process';
	const before = requests.length;
	const credential = { productionBaseUrl: serviceUrl, ...host?.credential };
	return {
		...(await startTriggerHost({ ...host, waiting: run.data, credential })),
		/** The test may change these later. */
		statuses,
		execution: begun.execution,
		/** The paths read since the wait began. */
		urls: () => requests.slice(before).map((request) => request.url),
	};
}
