import { WorkflowExecute } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IPinData,
	IRun,
	IRunData,
	IWorkflowSettings,
} from 'n8n-workflow';
import { createRunExecutionData, NodeConnectionTypes, NodeHelpers, Workflow } from 'n8n-workflow';
import { payload, signed } from '../../support/delivery.mts';
import { CREDENTIAL, oneCredential } from './credential.mts';
import { expectNoSecrets, newExecution, type Execution } from './engine.mts';
import { json, startFaultServer, type Answer } from './faultServer.mts';
import { startTriggerHost } from './triggerHost.mts';
import { useVirtualTime } from './virtualTime.mts';
import { action, additionalDataOf } from './workflow.mts';

/** A node of a flow: one of the kinds below, or an operation of our node with its parameters. */
export type FlowNode = Kind | (INodeParameters & { operation: string });

type Kind = 'trigger' | 'rows' | 'requests' | 'email' | 'code' | 'nothing';

/** An item that a node got, with the nodes that it is linked with. */
export type Seen = Record<string, unknown>;

export interface Flow {
	nodes: Record<string, FlowNode>;
	/** `A -> B` connects the first output, `A/1 -> B` the second one. */
	edges: string[];
	/** The rows that the node of the kind `rows` puts out, each as the field `row`. */
	rows?: string[];
	/** Settings of the workflow that differ from the defaults. */
	workflowSettings?: IWorkflowSettings;
	/** The nodes of which `seen` has the links. */
	links?: string[];
	settings?: Record<string, Partial<INode>>;
	/** Fields of the credential that differ from the defaults. */
	credential?: ICredentialDataDecryptedObject;
	/** The execution, with its mode; a new one by default. */
	execution?: Execution;
	pinData?: IPinData;
	/** As *Execute step* does: starts with this node, which gets what an earlier one has put out. */
	start?: { node: string; from: string; input: IDataObject[] };
	/** What nodes have put out in an execution before this one. */
	runData?: IRunData;
	/**
	 * What happens while it waits for the first time, the second time, and so on: the statuses that
	 * the service then has and reports. Without a report that ends the wait, its limit does.
	 */
	events?: Array<Record<string, string>>;
	/** The same for what the service reports to nobody, when the limit has ended the wait. */
	whileNobodyWaits?: Array<Record<string, string>>;
	/** The statuses that the service has from the beginning; `open` by default. */
	statuses?: Record<string, string>;
	/** Runs with each stand-in for an email or code node; may change the statuses of the service. */
	onRun?: (name: string, statuses: Record<string, string>) => void;
}

const plain = (name: string, execute: INodeType['execute']): INodeType => ({
	description: {
		displayName: name,
		name,
		version: 1,
		group: [name === 'trigger' ? 'trigger' : 'transform'],
		inputs: name === 'trigger' ? [] : [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
		defaults: {},
		description: '',
	},
	execute,
});

/** The part of n8n's data for expressions that is used here. */
interface RunData {
	$: (name: string) => { item: INodeExecutionData };
}

/** What an item is linked with in an earlier node, as expressions see it: `$('…').item`. */
function linkTo(context: IExecuteFunctions, itemIndex: number, name: string): unknown {
	try {
		const runData = context.getWorkflowDataProxy(itemIndex) as unknown as RunData;
		const { requestId, row } = runData.$(name).item.json;
		return requestId ?? row ?? 'sent';
	} catch {
		return 'none';
	}
}

/**
 * Stand-ins for n8n's own nodes, which note in `seen` what each of their runs got and with what it is
 * linked. An email node drops the fields of its items and keeps their links; a code node
 * makes one item of all, and behind a nothing, nothing runs.
 */
function kinds(
	{ rows = [], links = [], onRun }: Flow,
	seen: Record<string, Seen[][]>,
	statuses: Record<string, string>,
) {
	const note = (context: IExecuteFunctions) => {
		onRun?.(context.getNode().name, statuses);
		const items = context.getInputData().map(({ json }, itemIndex): Seen => {
			const linked = links.map((name) => [name, linkTo(context, itemIndex, name)] as const);
			return Object.assign({ ...json }, Object.fromEntries(linked));
		});
		(seen[context.getNode().name] ??= []).push(items);
		return items;
	};
	const kindsOf: Record<Kind, INodeType> = {
		trigger: plain('trigger', async () => await Promise.resolve([[{ json: {} }]])),
		rows: plain('rows', async () => {
			const items = rows.map((row) => ({ json: { row }, pairedItem: { item: 0 } }));
			return await Promise.resolve([items]);
		}),
		requests: plain('requests', async () => {
			const items = rows.map((requestId) => ({ json: { requestId }, pairedItem: { item: 0 } }));
			return await Promise.resolve([items]);
		}),
		email: plain('email', async function (this: IExecuteFunctions) {
			const sent = note(this).map((_, item) => ({ json: { sent: true }, pairedItem: { item } }));
			return await Promise.resolve([sent]);
		}),
		nothing: plain('nothing', async () => await Promise.resolve([[]])),
		code: plain('code', async function (this: IExecuteFunctions) {
			note(this);
			return await Promise.resolve([[{ json: { ok: true } }]]);
		}),
	};
	return kindsOf;
}

/** A service that names each collection request after its template and its number: `A`, then `A2`. */
function requestsOf(statuses: Record<string, string>): Answer {
	const requests: Record<string, IDataObject> = {};
	return (response, request, index) => {
		if (request.method === 'POST') {
			const body = JSON.parse(request.body) as {
				templateId: string;
				participantList?: IDataObject[];
			};
			const { templateId, participantList } = body;
			const taken = Object.keys(requests).filter((id) => id.startsWith(templateId));
			const id = `${templateId}${taken.length === 0 ? '' : taken.length + 1}`;
			requests[id] = { _id: id, participantList };
			statuses[id] ??= 'open';
			return json(201, { _id: id })(response, request, index);
		}
		const id = request.url.split('/').pop() ?? '';
		const found = { ...requests[id], _id: id, shareStatus: statuses[id] };
		return json(statuses[id] === undefined ? 404 : 200, found)(response, request, index);
	};
}

/** Runs a whole workflow of our nodes in n8n's own engine, over all its waits. */
export async function runFlow(flow: Flow) {
	const { nodes, edges, settings = {}, events = [], execution = newExecution() } = flow;
	const { id: executionId, mode = 'trigger', contextData } = execution;
	const statuses = { ...flow.statuses };
	const service = await startFaultServer(requestsOf(statuses));
	const seen: Record<string, Seen[][]> = {};
	const types: Record<string, INodeType> = {
		...kinds(flow, seen, statuses),
		dataCollection: action,
	};
	// A tool has a type of its own, and runs as the node does.
	const typeOf = (name: string) =>
		types[name.split('.').pop()?.replace(/Tool$/, '') ?? ''] as INodeType;
	const makeWorkflow = () =>
		new Workflow({
			id: 'flow',
			name: 'Flow',
			active: false,
			nodeTypes: {
				getByName: typeOf,
				getByNameAndVersion: (name) => NodeHelpers.getVersionedNodeType(typeOf(name)),
				getKnownTypes: () => ({}),
			},
			settings: { executionOrder: 'v1', ...flow.workflowSettings },
			connections: connectionsOf(edges),
			nodes: Object.entries(nodes).map(([name, node], index) =>
				nodeOf(name, node, index, settings[name]),
			),
			pinData: flow.pinData,
		});
	const additionalData = additionalDataOf(
		oneCredential({ ...CREDENTIAL, productionBaseUrl: service.url, ...flow.credential }),
		{ executionId },
	);
	const execute = async (data: IRun['data']) =>
		await new WorkflowExecute(additionalData, mode, data).processRunExecutionData(makeWorkflow());

	const workflow = makeWorkflow();
	const { node: first, from, input } = flow.start ?? { node: 'Trigger', input: [{}] };
	const start = {
		node: workflow.getNode(first) as INode,
		data: { main: [input.map((json, item) => ({ json, pairedItem: { item } }))] },
		source: from === undefined ? null : { main: [{ previousNode: from }] },
	};
	let run = await execute(
		createRunExecutionData({
			executionData: { nodeExecutionStack: [start], contextData },
			resultData: { pinData: flow.pinData, runData: flow.runData ?? {} },
		}),
	);
	/** What each wait awaited, and by which output it ended. */
	const waits: string[] = [];
	for (let round = 0; run.waitTill && round < 20; round += 1) {
		const { data, outcome } = await endWait(run, {
			reports: events[round] ?? {},
			statuses,
			serviceUrl: service.url,
		});
		waits.push(outcome);
		Object.assign(statuses, flow.whileNobodyWaits?.[round]);
		run = await execute(data);
	}
	expectNoSecrets(run);
	const { runData, error } = run.data.resultData;
	return {
		run,
		error,
		waits,
		requests: service.requests,
		/** The items of a node's output, run by run. */
		itemsOf: (name: string, output = 0): IDataObject[][] =>
			(runData[name] ?? []).map(({ data }) =>
				(data?.main?.[output] ?? []).map((item) => item.json),
			),
		hintsOf: (name: string) => (runData[name] ?? []).flatMap(({ hints }) => hints ?? []),
		/** What the stand-ins for n8n's nodes got, by their names, run by run. */
		seen,
	};
}

const ours = 'n8n-nodes-data-collection.dataCollection';

function nodeOf(name: string, node: FlowNode, index: number, settings?: Partial<INode>): INode {
	const isOurs = typeof node !== 'string';
	return {
		id: name,
		name,
		type: isOurs ? ours : node,
		typeVersion: 1,
		position: [index * 200, 0],
		parameters: isOurs ? { resource: 'collectionRequest', ...node } : {},
		...(isOurs && {
			credentials: { dataCollectionApi: { id: '1', name: 'Data Collection account' } },
			webhookId: 'hook-1',
		}),
		...settings,
	};
}

function connectionsOf(edges: string[]) {
	const connections: Workflow['connectionsBySourceNode'] = {};
	for (const edge of edges) {
		const [source = '', node = ''] = edge.split(' -> ');
		const [name = '', output = '0'] = source.split('/');
		const outputs = ((connections[name] ??= { main: [] }).main ??= []);
		while (outputs.length <= Number(output)) outputs.push([]);
		outputs[Number(output)]?.push({ node, type: 'main', index: 0 });
	}
	return connections;
}

interface End {
	reports: Record<string, string>;
	statuses: Record<string, string>;
	serviceUrl: string;
}

/** Ends a wait as n8n does: by a notification that its webhook accepts, or else by its limit. */
async function endWait(run: IRun, { reports, statuses, serviceUrl }: End) {
	const stored = JSON.parse(JSON.stringify(run.data)) as IRun['data'];
	const data = Object.assign(stored, { waitTill: run.waitTill });
	const [entry] = data.executionData?.nodeExecutionStack ?? [];
	if (entry === undefined) throw new Error('Nothing waits');
	Object.assign(statuses, reports);
	const { outputs, post } = await startTriggerHost({
		parameters: entry.node.parameters,
		settings: { name: entry.node.name },
		waiting: data,
		credential: { productionBaseUrl: serviceUrl },
	});
	const clock = useVirtualTime();
	const now = String(Math.floor(clock.now()));
	for (const [requestId, shareStatus] of Object.entries(reports)) {
		await post(signed({ body: payload({ requestId, shareStatus }), timestamp: now }));
	}
	const idsOf = (output: number) =>
		(entry.data.main?.[output] ?? []).map((item) => item.json.requestId as string).join(' ');
	const awaited = `${entry.node.name} awaits ${idsOf(1) || idsOf(0)}`;
	if (outputs.length === 0) {
		clock.advance(Number(run.waitTill) - clock.now());
		return { data, outcome: `${awaited}: timed out` };
	}
	clock.advance(1_000);
	entry.data.main = outputs;
	entry.metadata = { ...entry.metadata, forwardAllOutputs: true };
	return { data, outcome: `${awaited}: done ${idsOf(0)}` };
}
