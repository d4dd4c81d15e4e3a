import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { WAIT_INDEFINITELY } from 'n8n-workflow';
import { payload, signed } from '../../support/delivery.mts';
import { newExecution, runAction, type ActionRun, type Execution } from './engine.mts';
import { by, json, type Answer } from './faultServer.mts';
import { runFlow, type Flow } from './flow.mts';
import { READ } from './operations.mts';
import { startTriggerHost, type HostOptions } from './triggerHost.mts';
import { useVirtualTime } from './virtualTime.mts';

export const linkOf = (id: string) => `https://collect.example.com/request/${id}`;

/** The current statuses of collection requests by ID; a function sends its own response. */
export type Statuses = Record<string, string | Answer>;

/** A service whose collection requests have these statuses. */
export const service = (statuses: Statuses): Answer =>
	by(({ url }) => {
		const id = url.split('/').at(-1) ?? '';
		const shareStatus = statuses[id];
		if (typeof shareStatus === 'function') return shareStatus;
		if (shareStatus === undefined) return json(404, {});
		return json(200, { _id: id, title: `Title ${id}`, shareStatus });
	});

/** For the collection requests that the input items name. What was created is in `created.test.mts`. */
export const WAIT = {
	...READ,
	operation: 'wait',
	which: 'requestId',
	requestId: '={{ $json.requestId }}',
};
export const LIMIT = { limitWaitTime: true, resumeAmount: 15, resumeUnit: 'minutes' };
export const itemsOf = (...ids: string[]): IDataObject[] =>
	ids.map((requestId) => ({ requestId, n: 1 }));

/** An execution in which the service reports on these collection requests to a Wait. */
export async function reportedExecution(
	ids: string[],
	execution = newExecution(),
	credential: Flow['credential'] = {},
): Promise<Execution> {
	const { run, error } = await runFlow({
		execution,
		credential,
		nodes: {
			Trigger: 'trigger',
			Rows: 'rows',
			Create: { operation: 'create', templateId: '={{ $json.row }}' },
			Nothing: 'nothing',
			Wait: { operation: 'wait' },
		},
		edges: ['Trigger -> Rows', 'Rows -> Create', 'Create -> Nothing', 'Nothing -> Wait'],
		rows: ids,
	});
	if (error) throw error;
	return { ...execution, contextData: run.data.executionData?.contextData };
}

interface WaitRun extends Partial<ActionRun> {
	/** Another execution than one in which Create reports to it. */
	execution?: Execution;
}

/** Runs the node; `until` is when n8n would resume, `kept` what it stores, `timedOut` what comes out then. */
export async function wait(
	answer: Answer,
	input: IDataObject[],
	parameters: INodeParameters = {},
	more: WaitRun = {},
) {
	const ids = input.map(({ requestId }) => requestId as string);
	const execution = more.execution ?? (await reportedExecution([...new Set(ids)]));
	const outcome = await runAction({
		parameters: { ...WAIT, ...parameters },
		...{ answer, input, ...more, execution },
	});
	const { waitTill, data } = outcome.run;
	const { contextData, nodeExecutionStack } = data.executionData ?? {};
	return {
		...outcome,
		execution: { ...execution, contextData },
		until: waitTill ?? undefined,
		kept: contextData?.['node:Node']?.dataCollection as unknown,
		timedOut: nodeExecutionStack?.[0]?.data.main?.[1],
	};
}

export const FOR_EVER = { until: WAIT_INDEFINITELY };
export const AT_ONCE = { until: undefined, error: undefined };

export const ACCEPTED = '200 accepted';
export const WAITING = '200 waiting';
export const IGNORED = '200 ignored';
export const DUPLICATE = '200 duplicate';
export const NOT_CHECKED = '503 not checked';

export interface Waiting extends Pick<HostOptions, 'parameters' | 'settings'> {
	/** Host options that change once it waits. */
	host?: HostOptions;
	/** The statuses when the wait begins; open by default. */
	statuses?: Statuses;
	execution?: Execution;
}

/** Makes the node wait for these collection requests; `notify` sends a notification as the service does. */
export async function waiting(
	ids: string[],
	{ parameters, settings, host, ...more }: Waiting = {},
) {
	const { execution } = more;
	const statuses: Statuses = {
		...Object.fromEntries(ids.map((id) => [id, 'open'])),
		...more.statuses,
	};
	const begun = await wait(service(statuses), itemsOf(...ids), parameters, { settings, execution });
	expect(begun.error).toBeUndefined();
	expect(begun.until).toBeDefined();
	const { run, requests, serviceUrl } = begun;
	const before = requests.length;
	const { started, outputs, logged, post } = await startTriggerHost({
		parameters: { ...WAIT, ...parameters },
		settings,
		waiting: run.data,
		...host,
		credential: { productionBaseUrl: serviceUrl ?? '', ...host?.credential },
	});
	const { now } = useVirtualTime();
	return {
		/** The test may change these later. */
		statuses,
		execution: begun.execution,
		kept: begun.kept,
		started,
		outputs,
		logged,
		post,
		/** The paths read since the wait began. */
		urls: () => requests.slice(before).map((request) => request.url),
		notify: async (changes: IDataObject, secret?: string, at = now()) =>
			await post(signed({ secret, body: payload(changes), timestamp: String(Math.floor(at)) })),
	};
}
