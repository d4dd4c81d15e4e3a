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
	IWorkflowSettings,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { createRunExecutionData } from 'n8n-workflow';
import { connectionsOf, stepsOf } from '../../support/edges.mts';
import { action, expectNoSecrets, newExecution } from './engine.mts';
import { type Answer, service, startFaultServer } from './faultServer.mts';
import { startTriggerHost } from './triggerHost.mts';
import { useVirtualTime } from './virtualTime.mts';
import { additionalDataOf, nodeOf, workflowOf } from './workflow.mts';

// Whole workflows. For the rows A and B, each with a person, one Wait that its limit ends, and then one
// that a notification about each of the two ends:
//
// const { waits, seen } = await runFlow({
// 	rows: ['A', 'B'],
// 	links: ['Rows'],
// 	nodes: { Create: createFor(1), Wait: { operation: 'wait', limitWaitTime: true } },
// 	edges: ['Trigger -> Rows -> Create -> Wait -> Answers', 'Wait/1 -> Remind -> Wait'],
// 	events: [{}, { A: 'completed', B: 'completed' }],
// });
// expect(waits).toEqual(['Wait awaits A B: timed out', 'Wait awaits A B: done A B']);
// expect(seen).toEqual({ Remind: [['A A', 'B B']], Answers: [['A A', 'B B']] });

/** Statuses by request ID. */
type Statuses = Record<string, string>;

export interface Flow {
	/** As edges.mts describes them. */
	edges: string[];
	/**
	 * Operations of our node with their parameters, and stand-ins under other names than their own. A
	 * node of the edges that is not here is the stand-in with its name, e.g. `Rows`, or else an email.
	 */
	nodes?: Record<string, StandIn | (INodeParameters & { operation: string })>;
	/** What the stand-in `rows` puts out, each as the field `row`. */
	rows?: string[];
	/** The nodes of which `seen` has the links. */
	links?: string[];
	/** Settings of the nodes and of the workflow, and fields of the credential, that are not the defaults. */
	settings?: Record<string, Partial<INode>>;
	workflowSettings?: IWorkflowSettings;
	credential?: ICredentialDataDecryptedObject;
	mode?: WorkflowExecuteMode;
	pinData?: IPinData;
	/** As *Execute step* does: starts with Wait, behind this node, which has put out one item. */
	stepAfter?: string;
	/** What nodes have put out in an execution before this one. */
	runData?: IRun['data']['resultData']['runData'];
	/** The statuses that the service has from the beginning; `open` by default. */
	statuses?: Statuses;
	/** How the service responds, in place of {@link service}. */
	answer?: Answer;
	/**
	 * Those that it has and reports during the first wait, during the second one, and so on. A wait
	 * that no report ends is ended by its limit.
	 */
	events?: Statuses[];
	/** Runs with each stand-in for an email or code node; may change the statuses of the service. */
	onRun?: (name: string, statuses: Statuses) => void;
}

/** What a stand-in for a node of n8n outputs. */
type Outputs = (context: IExecuteFunctions, rows: string[]) => INodeExecutionData[][];

const inputOf = (context: IExecuteFunctions, fields?: IDataObject) =>
	context.getInputData().map(({ json }, item) => ({ json: fields ?? json, pairedItem: { item } }));

const STAND_INS = {
	trigger: () => [[{ json: {} }]],
	/** What another workflow has called this one with: the rows. */
	executeWorkflowTrigger: (_context, rows) => [rows.map((row) => ({ json: { row } }))],
	rows: (_context, rows) => [rows.map((row) => ({ json: { row }, pairedItem: { item: 0 } }))],
	/** Drops the fields of its items and keeps their links. */
	email: (context) => [inputOf(context, { sent: true })],
	/** Makes one item of all. */
	code: () => [[{ json: { ok: true } }]],
	/** Behind it, nothing runs. */
	nothing: () => [],
	/** What has its origin in a row in capitals leaves by the first output. */
	if: (context) => splitByRow(context, inputOf(context)),
	/** The same for an email node with an error output, which drops the fields of its items. */
	mailer: (context) => splitByRow(context, inputOf(context, { sent: true })),
	merge: (context) => [
		[0, 1].flatMap((input) =>
			context.getInputData(input).map(({ json }, item) => ({ json, pairedItem: { item, input } })),
		),
	],
	/** Loop Over Items, one at a time. */
	loop: (context) => {
		type Kept = Partial<Record<'left' | 'done', INodeExecutionData[]>>;
		const kept = context.getContext('node') as Kept;
		const sourceOverwrite = context.getInputSourceData();
		const items = context
			.getInputData()
			.map(({ json }, item) => ({ json, pairedItem: { item, sourceOverwrite } }));
		kept.done = kept.left ? [...(kept.done ?? []), ...items] : [];
		kept.left ??= items;
		const next = kept.left.splice(0, 1);
		return next.length === 0 ? [kept.done, []] : [[], next];
	},
} satisfies Record<string, Outputs>;

type StandIn = keyof typeof STAND_INS;

/** Those of which `seen` has what they got. */
const SEEN = ['email', 'code', 'mailer'];

/** What an item is linked with in an earlier node, as expressions see it. */
function linkTo(context: IExecuteFunctions, itemIndex: number, name: string): unknown {
	try {
		const linked = context.evaluateExpression(`{{ $('${name}').item.json }}`, itemIndex);
		const { requestId, row } = linked as IDataObject;
		return requestId ?? row ?? 'sent';
	} catch {
		return 'none';
	}
}

/** By the first output, the items that come from a row in capitals; by the second one, the others. */
function splitByRow(context: IExecuteFunctions, items: INodeExecutionData[]) {
	const isCapital = items.map((_, index) => /^[A-Z]/.test(String(linkTo(context, index, 'Rows'))));
	return [true, false].map((which) => items.filter((_, index) => isCapital[index] === which));
}

/** The node types of the stand-ins, which write into `seen`. */
function standInTypes(flow: Flow, seen: Record<string, string[][]>, statuses: Statuses) {
	const { links = [], rows = [], onRun } = flow;
	const note = (context: IExecuteFunctions) => {
		const { name } = context.getNode();
		onRun?.(name, statuses);
		const texts = context
			.getInputData()
			.map(({ json: { requestId, error } }, itemIndex) =>
				[requestId ?? error, ...links.map((link) => linkTo(context, itemIndex, link))].join(' '),
			);
		(seen[name] ??= []).push(texts);
	};
	const ports = { inputs: ['main', 'main'], outputs: ['main', 'main'] };
	return Object.entries(STAND_INS).map(([name, outputsOf]) => {
		const description: unknown = { ...ports, name, version: 1, properties: [] };
		return {
			description: description as INodeType['description'],
			async execute(this: IExecuteFunctions) {
				if (SEEN.includes(name)) note(this);
				return await Promise.resolve(outputsOf(this, rows));
			},
		};
	});
}

function nodesOf({ edges, nodes = {}, settings = {} }: Flow): INode[] {
	const inEdges = edges.flatMap(stepsOf).map(({ node }) => node);
	return [...new Set([...inEdges, ...Object.keys(nodes)])].map((name, index) => {
		// n8n runs the branches of a node from left to right.
		const more = { id: name, name, position: [index, 0] as INode['position'], ...settings[name] };
		const standIn = name.toLowerCase() in STAND_INS ? name.toLowerCase() : 'email';
		const node = nodes[name] ?? standIn;
		return typeof node === 'string'
			? { type: node, typeVersion: 1, parameters: {}, ...more }
			: nodeOf(action, { resource: 'collectionRequest', ...node }, more);
	});
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
async function endWait(run: IRun, workflow: Workflow, reports: Statuses, serviceUrl: string) {
	// As n8n stores it: entries of its stack that share a node's object still do.
	const data = Object.assign(structuredClone(run.data), { waitTill: run.waitTill });
	const [entry] = data.executionData?.nodeExecutionStack ?? [];
	if (entry === undefined) throw new Error('Nothing waits');
	const credential = { productionBaseUrl: serviceUrl };
	const { outputs, notify } = await startTriggerHost({ waiting: data, workflow, credential });
	for (const [requestId, shareStatus] of Object.entries(reports)) {
		await notify({ requestId, shareStatus });
	}
	const clock = useVirtualTime();
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
	const { edges, events = [], mode = 'trigger', pinData } = flow;
	const statuses = { ...flow.statuses };
	const seen: Record<string, string[][]> = {};
	const types: INodeType[] = [action, ...standInTypes(flow, seen, statuses)];
	const { url, requests } = await startFaultServer(flow.answer ?? service(statuses));
	const addresses = { productionBaseUrl: url, practiceUrl: url };
	const credential = { ...addresses, ...flow.credential };
	const additionalData = additionalDataOf(credential, { executionId: newExecution().id });
	const connections = connectionsOf(edges);
	const makeWorkflow = () =>
		workflowOf(types, nodesOf(flow), { connections, settings: flow.workflowSettings, pinData });
	const execute = async (data: IRun['data']) =>
		await new WorkflowExecute(additionalData, mode, data).processRunExecutionData(makeWorkflow());

	let run = await execute(startOf(flow, makeWorkflow()));
	const waits: string[] = [];
	while (run.waitTill && waits.length < 20) {
		const event = events[waits.length] ?? {};
		Object.assign(statuses, event);
		const { data, outcome } = await endWait(run, makeWorkflow(), event, url);
		waits.push(outcome);
		run = await execute(data);
	}
	expectNoSecrets(run);
	const { runData, error, lastNodeExecuted } = run.data.resultData;
	const runsOf = (name: string) => runData[name] ?? [];
	return {
		runData,
		error,
		requests,
		/** The node whose last output a workflow gets that has called this one. */
		lastNodeExecuted,
		/** What each wait awaited, and by which output it ended. */
		waits,
		/** The items of a node's output, run by run. */
		itemsOf: (name: string, output = 0): IDataObject[][] =>
			runsOf(name).map(({ data }) => (data?.main?.[output] ?? []).map((item) => item.json)),
		hintsOf: (name: string) => runsOf(name).flatMap(({ hints }) => hints ?? []),
		/**
		 * What the email and code nodes got, run by run: of each item its request ID or error, and then
		 * what it is linked with in `links`.
		 */
		seen,
	};
}

/** Creates a collection request for each row, named after it, and invites so many people. */
export const createFor = (people: number) => ({
	operation: 'create',
	templateId: '={{ $json.row }}',
	participants: {
		participant: Array.from({ length: people }, (_, index) => ({
			email: `={{ $json.row }}${index}@example.com`,
		})),
	},
});

/** Invite, wait for an hour, remind, collect, for several rows with one person each. */
export const REMINDERS = {
	rows: ['A', 'B', 'C'],
	links: ['Create', 'Rows'],
	nodes: {
		Create: createFor(1),
		Wait: { operation: 'wait', limitWaitTime: true },
		People: { operation: 'getPeopleToRemind' },
	},
	edges: [
		'Trigger -> Rows -> Create -> Email -> Wait -> Answers',
		'Wait/1 -> People -> Remind -> Wait',
		'People/1 -> Answers',
	],
} satisfies Flow;
