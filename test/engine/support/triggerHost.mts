import { HookContext, WebhookContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeParameters,
	IRunExecutionData,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { DataCollectionTrigger } from '../../../nodes/DataCollection/DataCollectionTrigger.node.ts';
import { resume } from '../../../nodes/DataCollection/actions/collectionRequest/wait/resume.ts';
import { DataCollection } from '../../../nodes/DataCollection/DataCollection.node.ts';
import { webhook } from '../../../nodes/DataCollection/trigger/webhook.ts';
import type { Delivery } from '../../support/delivery.mts';
import { listen } from '../../support/listener.mts';
import { send } from '../../support/send.mts';
import { CREDENTIAL, oneCredential } from './credential.mts';
import { virtualClock } from './virtualTime.mts';
import { additionalDataOf, nodeOf, workflowOf } from './workflow.mts';

/** What the node runs in. */
interface Around {
	context: WebhookContext;
	incoming: IncomingMessage;
	response: ServerResponse;
}

export interface HostOptions {
	parameters?: INodeParameters;
	/** Fields that differ from the usual ones; each delivery meets them as they are then. */
	credential?: ICredentialDataDecryptedObject;
	/** Runs whenever n8n reads the credential; may throw. */
	onRead?: () => void;
	settings?: Partial<INode>;
	workflowId?: string;
	/** How the trigger was started: `webhook`, which is in production, unless given. */
	mode?: WorkflowExecuteMode;
	/** The data of an execution that waits, for the webhook of the action node. */
	waiting?: IRunExecutionData;
	/** The status with which n8n answers once an execution has been started; 200 unless given. */
	status?: () => number;
	/** Runs before the node does; may damage what the node will use, to see what it makes of it. */
	prepare?: (around: Around) => void | Promise<void>;
}

export interface TriggerHost {
	url: string;
	/** The items with which executions were started, or went on. */
	started: IDataObject[];
	/** What the node wrote to n8n's log. */
	logged: string[];
	/**
	 * Sends a delivery; resolves to the response as e.g. `200 accepted`, which stands for the JSON
	 * `{"status":"accepted"}` and nothing else.
	 */
	post: (delivery: Delivery) => Promise<string>;
}

const thrown: unknown[] = [];
let stops: Array<() => Promise<unknown>> = [];

afterEach(async () => {
	await Promise.all(stops.map(async (stop) => await stop()));
	stops = [];
	// The node must never throw.
	expect(thrown.splice(0)).toEqual([]);
});

/**
 * A real HTTP server that does with a delivery what n8n does, around the node's `webhook()`; it ends
 * with the test.
 */
export async function startTriggerHost(options: HostOptions = {}): Promise<TriggerHost> {
	const started: IDataObject[] = [];
	const logged: string[] = [];
	const workflow = triggerWorkflow(options);

	async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		const context = await contextOf(incoming, response, workflow, options);
		Object.defineProperty(context, 'logger', { value: logger(logged), configurable: true });
		await options.prepare?.({ context, incoming, response });
		const result = await handled(context, options);
		if (result.noWebhookResponse) return;
		for (const item of result.workflowData?.[0] ?? []) started.push(item.json);
		response.statusCode = options.status?.() ?? 200;
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(result.webhookResponse));
	}

	const listener = await listen((incoming, response) =>
		handle(incoming, response).catch((error: unknown) => {
			thrown.push(error);
			response.statusCode = 500;
			response.end('{"message":"the node threw"}');
		}),
	);
	stops.push(listener.close);
	const url = `${listener.url}/webhook/hook-1/webhook`;
	return { url, started, logged, post: async (delivery) => await post(url, delivery) };
}

/** Sends deliveries to a new trigger, one after the other. */
export async function deliver(deliveries: Delivery[], options?: HostOptions) {
	const { post: send, started, logged } = await startTriggerHost(options);
	const responses: string[] = [];
	for (const delivery of deliveries) responses.push(await send(delivery));
	return { responses, started, logged };
}

/** The context of the trigger's activation. */
export function hookContext(options: HostOptions = {}): HookContext {
	const workflow = triggerWorkflow(options);
	const additionalData = additionalDataOf(credentialOf(options));
	return new HookContext(workflow, nodeOf(workflow), additionalData, 'trigger', 'activate');
}

/** The node's webhook as it is, or with the virtual clock of the test. */
async function handled(
	context: WebhookContext,
	{ waiting }: HostOptions,
): Promise<IWebhookResponseData> {
	const clock = virtualClock();
	if (clock) return await (waiting ? resume(context, clock) : webhook(context, clock));
	const node = waiting ? new DataCollection() : new DataCollectionTrigger();
	return await node.webhook.call(context);
}

let hosts = 0;

/** Each host has a node of its own: triggers remember deliveries and credentials for a while. */
const triggerWorkflow = ({ parameters = {}, settings, workflowId, waiting }: HostOptions) =>
	workflowOf({
		type: waiting ? 'dataCollection' : 'dataCollectionTrigger',
		parameters,
		settings: { id: `node-${(hosts += 1)}`, ...settings },
		workflowId,
	});

const credentialOf = ({ credential, onRead }: HostOptions) =>
	oneCredential({ ...CREDENTIAL, ...credential }, onRead);

const logger = (logged: string[]) => {
	const write = (text: string, metadata?: object) =>
		void logged.push(`${text} ${JSON.stringify(metadata ?? {})}`);
	return { debug: write, info: write, warn: write, error: write };
};

/** The request with what n8n's body reader and Express add to it. */
async function contextOf(
	incoming: IncomingMessage,
	response: ServerResponse,
	workflow: Workflow,
	options: HostOptions,
): Promise<WebhookContext> {
	const rawBody = await buffer(incoming);
	const httpRequest = Object.assign(incoming, {
		rawBody,
		body: {},
		params: {},
		query: {},
		readRawBody: async () => await Promise.resolve(),
	});
	const httpResponse = Object.assign(response, {
		status(code: number) {
			response.statusCode = code;
			return httpResponse;
		},
		json(body: unknown) {
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(body));
			return httpResponse;
		},
	});
	const http: unknown = { httpRequest, httpResponse };
	const additionalData = additionalDataOf(
		credentialOf(options),
		http as Pick<IWorkflowExecuteAdditionalData, 'httpRequest' | 'httpResponse'>,
	);
	const { waiting = null, mode = 'webhook' } = options;
	const { description } = waiting ? new DataCollection() : new DataCollectionTrigger();
	const [webhookDescription] = description.webhooks ?? [];
	if (webhookDescription === undefined) throw new Error('The node has no webhook');
	const node = nodeOf(workflow);
	const webhookData = {
		httpMethod: 'POST' as const,
		node: node.name,
		path: 'hook-1/webhook',
		webhookDescription,
		workflowId: workflow.id,
		workflowExecuteAdditionalData: additionalData,
	};
	return new WebhookContext(workflow, node, additionalData, mode, webhookData, [], waiting);
}

async function post(url: string, delivery: Delivery): Promise<string> {
	const { status, contentType, text } = await send(url, delivery);
	const isJson = contentType === 'application/json';
	const [, said = text] = (isJson && /^\{"status":"([a-z ]+)"\}$/.exec(text)) || [];
	return `${status} ${said}`;
}
