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
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { createRunExecutionData, NodeConnectionTypes } from 'n8n-workflow';
import { payload, signed } from '../../support/delivery.mts';
import { CREDENTIAL, oneCredential } from './storedCredential.mts';
import { action, expectNoSecrets, newExecution } from './engine.mts';
import { by, json, startFaultServer } from './faultServer.mts';
import { startTriggerHost } from './triggerHost.mts';
import { useVirtualTime } from './virtualTime.mts';
import { additionalDataOf, nodeOf, workflowOf } from './workflow.mts';

type StandIn = 'trigger' | 'rows' | 'email' | 'code' | 'nothing' | 'if' | 'merge' | 'loop';

/** Statuses by request ID. */
type Statuses = Record<string, string>;

/** The items that a node got, run by run, each with the nodes that it is linked with. */
type Seen = Array<Array<Record<string, unknown>>>;

export interface Flow {
	/** Stand-ins for n8n's nodes, or operations of our node with their parameters. */
	nodes: Record<string, StandIn | (INodeParameters & { operation: string })>;
	/** `A -> B -> C` is a chain; `A/1 -> B` is from A's second output, `A -> 1/B` to B's second input. */
	edges: string[];
	/** What the stand-in `rows` puts out, each as the field `row`. */
	rows?: string[];
	/** The nodes of which `seen` has the links. */
	links?: string[];
	/** Settings of the nodes and of the workflow, and fields of the credential, that are not the defaults. */
	settings?: Record<string, Partial<INode>>;
	workflowSettings?: IWorkflowSettings;
	credential?: ICredentialDataDecryptedObject;
	/** Those of further credentials, by ID. */
	others?: Record<string, ICredentialDataDecryptedObject>;
	mode?: WorkflowExecuteMode;
	pinData?: IPinData;
	/** As *Execute step* does: starts with Wait, behind this node, which has put out one item. */
	stepAfter?: string;
	/** What nodes have put out in an execution before this one. */
	runData?: IRunData;
	/** The statuses that the service has from the beginning; `open` by default. */
	statuses?: Statuses;
	/**
	 * Those that it has and reports during the first wait, during the second one, and so on. A wait
	 * that no report ends is ended by its limit.
	 */
	events?: Statuses[];
	/** Runs with each stand-in for an email or code node; may change the statuses of the service. */
	onRun?: (name: string, statuses: Statuses) => void;
}

/** What an item is linked with in an earlier node, as expressions see it: `$('…').item`. */
function linkTo(context: IExecuteFunctions, itemIndex: number, name: string): unknown {
	const { $ } = context.getWorkflowDataProxy(itemIndex) as unknown as {
		$: (name: string) => { item: INodeExecutionData };
	};
	try {
		const { requestId, row } = $(name).item.json;
		return requestId ?? row ?? 'sent';
	} catch {
		return 'none';
	}
}

/** The node type of a stand-in that puts out these items. */
const typeOf = (
	name: StandIn,
	itemsOf: (context: IExecuteFunctions) => INodeExecutionData[],
): INodeType => partingType(name, 1, 1, (context) => [itemsOf(context)]);

/** The same with so many inputs and outputs. */
const partingType = (
	name: StandIn,
	inputs: number,
	outputs: number,
	outputsOf: (context: IExecuteFunctions) => INodeExecutionData[][],
): INodeType => ({
	description: {
		displayName: name,
		name,
		version: 1,
		group: [name === 'trigger' ? 'trigger' : 'transform'],
		inputs: Array(name === 'trigger' ? 0 : inputs).fill(NodeConnectionTypes.Main),
		outputs: Array(outputs).fill(NodeConnectionTypes.Main),
		properties: [],
		defaults: {},
		description: '',
	},
	async execute() {
		return await Promise.resolve(outputsOf(this));
	},
});

/** n8n's own nodes that part items and bring them together. Those in capitals leave an If first. */
const PARTING_TYPES = [
	partingType('if', 1, 2, (context) => {
		const items = context
			.getInputData()
			.map(({ json }, item) => ({ json, pairedItem: { item } }))
			.map((item) => ({ item, isFirst: /^[A-Z]/.test(item.json.row as string) }));
		return [true, false].map((isFirst) =>
			items.filter((one) => one.isFirst === isFirst).map(({ item }) => item),
		);
	}),
	partingType('merge', 2, 1, (context) => [
		[0, 1].flatMap((input) =>
			context.getInputData(input).map(({ json }, item) => ({ json, pairedItem: { item, input } })),
		),
	]),
	partingType('loop', 1, 2, (context) => {
		interface Kept {
			left?: INodeExecutionData[];
			done?: INodeExecutionData[];
		}
		const kept = context.getContext('node') as Kept;
		const sourceOverwrite = context.getInputSourceData();
		const items = context
			.getInputData()
			.map(({ json }, item) => ({ json, pairedItem: { item, sourceOverwrite } }));
		if (kept.left === undefined) Object.assign(kept, { left: items, done: [] });
		else kept.done?.push(...items);
		const next = kept.left?.splice(0, 1) ?? [];
		return next.length === 0 ? [kept.done ?? [], []] : [[], next];
	}),
];

/**
 * The stand-ins. An email node drops the fields of its items and keeps their links, a code node makes
 * one item of all, and behind a nothing, nothing runs. The first two note in `seen` what they got.
 */
function standIns(
	{ rows = [], links = [], onRun }: Flow,
	seen: Record<string, Seen>,
	statuses: Statuses,
): INodeType[] {
	const note = (context: IExecuteFunctions) => {
		const { name } = context.getNode();
		onRun?.(name, statuses);
		const items = context.getInputData().map((item, itemIndex) => {
			const linked = links.map((link) => [link, linkTo(context, itemIndex, link)]);
			return { ...item.json, ...Object.fromEntries(linked) } as Seen[0][0];
		});
		(seen[name] ??= []).push(items);
		return items;
	};
	const each = <T,>(values: T[], jsonOf: (value: T) => IDataObject) =>
		values.map((value, item) => ({ json: jsonOf(value), pairedItem: { item } }));
	return [
		typeOf('trigger', () => [{ json: {} }]),
		typeOf('rows', () => rows.map((row) => ({ json: { row }, pairedItem: { item: 0 } }))),
		typeOf('email', (context) => each(note(context), () => ({ sent: true }))),
		typeOf('code', (context) => note(context) && [{ json: { ok: true } }]),
		typeOf('nothing', () => []),
	];
}

/** A service that names each collection request after its template and its number: `A`, then `A2`. */
function serviceOf(statuses: Statuses) {
	const requests = new Map<string, object>();
	return by(({ method, url, body }) => {
		if (method === 'POST') {
			const created = JSON.parse(body) as { templateId: string; participantList?: object[] };
			const { templateId, participantList } = created;
			const taken = [...requests.keys()].filter((id) => id.startsWith(templateId)).length;
			const _id = `${templateId}${taken === 0 ? '' : taken + 1}`;
			requests.set(_id, { participantList });
			statuses[_id] ??= 'open';
			return json(201, { _id });
		}
		const _id = url.split('/').at(-1) ?? '';
		const shareStatus = statuses[_id];
		return json(shareStatus === undefined ? 404 : 200, { _id, ...requests.get(_id), shareStatus });
	});
}

function nodesOf({ nodes, settings = {} }: Flow): INode[] {
	return Object.entries(nodes).map(([name, node], index) => {
		// n8n runs the branches of a node from left to right.
		const more = { id: name, name, position: [index, 0] as INode['position'], ...settings[name] };
		return typeof node === 'string'
			? { type: node, typeVersion: 1, parameters: {}, ...more }
			: nodeOf(action, { resource: 'collectionRequest', ...node }, more);
	});
}

function connectionsOf(edges: string[]): Workflow['connectionsBySourceNode'] {
	const connections: Workflow['connectionsBySourceNode'] = {};
	for (const edge of edges) {
		const steps = edge.split(' -> ').map((step) => {
			const [, input = '0', node = '', output = '0'] =
				/^(?:(\d+)\/)?([^/]*)(?:\/(\d+))?$/.exec(step) ?? [];
			return { node, input: Number(input), output: Number(output) };
		});
		for (const [at, { node, input }] of steps.slice(1).entries()) {
			const { node: name = '', output = 0 } = steps[at] ?? {};
			const outputs = ((connections[name] ??= { main: [] }).main ??= []);
			while (outputs.length <= output) outputs.push([]);
			outputs[output]?.push({ node, type: 'main', index: input });
		}
	}
	return connections;
}

/** What n8n executes first. */
function startOf({ stepAfter, pinData, runData = {} }: Flow, workflow: Workflow): IRun['data'] {
	const start = {
		node: workflow.getNode(stepAfter ? 'Wait' : 'Trigger') as INode,
		data: { main: [[{ json: {}, pairedItem: { item: 0 } }]] },
		source: stepAfter ? { main: [{ previousNode: stepAfter }] } : null,
	};
	return createRunExecutionData({
		executionData: { nodeExecutionStack: [start] },
		resultData: { pinData, runData },
	});
}

/** Ends a wait as n8n does: by a notification that its webhook accepts, or else by its limit. */
async function endWait(run: IRun, reports: Statuses, serviceUrl: string) {
	const stored = JSON.parse(JSON.stringify(run.data)) as IRun['data'];
	const data = Object.assign(stored, { waitTill: run.waitTill });
	const [entry] = data.executionData?.nodeExecutionStack ?? [];
	if (entry === undefined) throw new Error('Nothing waits');
	const { outputs, post } = await startTriggerHost({
		parameters: entry.node.parameters,
		settings: { name: entry.node.name },
		waiting: data,
		credential: { productionBaseUrl: serviceUrl },
	});
	const clock = useVirtualTime();
	for (const [requestId, shareStatus] of Object.entries(reports)) {
		const body = payload({ requestId, shareStatus });
		await post(signed({ body, timestamp: String(clock.now()) }));
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

/** Runs a whole workflow of our nodes in n8n's own engine, over all its waits. */
export async function runFlow(flow: Flow) {
	const { edges, events = [], mode = 'trigger', pinData, others } = flow;
	const statuses = { ...flow.statuses };
	const seen: Record<string, Seen> = {};
	const types = [action, ...standIns(flow, seen, statuses), ...PARTING_TYPES];
	const { url, requests } = await startFaultServer(serviceOf(statuses));
	const addresses = { productionBaseUrl: url, practiceUrl: url };
	const fields = { ...CREDENTIAL, ...addresses, ...flow.credential };
	const credential = oneCredential(fields, undefined, others);
	const additionalData = additionalDataOf(credential, { executionId: newExecution().id });
	const connections = connectionsOf(edges);
	const makeWorkflow = () =>
		workflowOf(types, nodesOf(flow), { connections, settings: flow.workflowSettings, pinData });
	const execute = async (data: IRun['data']) =>
		await new WorkflowExecute(additionalData, mode, data).processRunExecutionData(makeWorkflow());

	let run = await execute(startOf(flow, makeWorkflow()));
	/** What each wait awaited, and by which output it ended. */
	const waits: string[] = [];
	while (run.waitTill && waits.length < 20) {
		const event = events[waits.length] ?? {};
		Object.assign(statuses, event);
		const { data, outcome } = await endWait(run, event, url);
		waits.push(outcome);
		run = await execute(data);
	}
	expectNoSecrets(run);
	const { runData, error } = run.data.resultData;
	const runsOf = (name: string) => runData[name] ?? [];
	/** The items of a node's output, run by run. */
	const itemsOf = (name: string, output = 0): IDataObject[][] =>
		runsOf(name).map(({ data }) => (data?.main?.[output] ?? []).map((item) => item.json));
	const hintsOf = (name: string) => runsOf(name).flatMap(({ hints }) => hints ?? []);
	return { runData, error, waits, requests, itemsOf, hintsOf, seen };
}

/** Creates a collection request for each row, named after it, with one person. */
export const CREATE = {
	operation: 'create',
	templateId: '={{ $json.row }}',
	participants: { participant: [{ email: 'ada@example.com' }] },
};

/** The same with two people. */
export const CREATE_FOR_TWO = {
	...CREATE,
	participants: {
		participant: [
			{ email: '={{ $json.row }}1@example.com' },
			{ email: '={{ $json.row }}2@example.com' },
		],
	},
};

/** Waits for what has been created, for at most an hour. */
export const WAIT = { operation: 'wait', limitWaitTime: true };

/** Invite, wait, remind, collect, for several offices with one person each. */
export const REMINDERS = {
	rows: ['A', 'B', 'C'],
	links: ['Create', 'Offices'],
	nodes: {
		Trigger: 'trigger',
		Offices: 'rows',
		Create: CREATE,
		Email: 'email',
		Wait: WAIT,
		People: { operation: 'getPeopleToRemind' },
		Remind: 'email',
		Answers: 'email',
	},
	edges: [
		'Trigger -> Offices -> Create -> Email -> Wait -> Answers',
		'Wait/1 -> People -> Remind -> Wait',
		'People/1 -> Answers',
	],
} satisfies Flow;

/** What each item is, and what it is linked with, as `A Create/Offices`, run by run. */
export const shown = (runs: Seen = []): string[][] =>
	runs.map((items) =>
		items.map(({ requestId, error, Create, Offices }) =>
			[requestId ?? error, Create, Offices].join(' '),
		),
	);
