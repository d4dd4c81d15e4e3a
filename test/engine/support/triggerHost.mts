import { HookContext, WebhookContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeParameters,
	IRunExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DataCollectionTrigger } from '../../../nodes/DataCollection/DataCollectionTrigger.node.ts';
import { resume } from '../../../nodes/DataCollection/actions/collectionRequest/wait/resume.ts';
import { DataCollection } from '../../../nodes/DataCollection/DataCollection.node.ts';
import { webhook } from '../../../nodes/DataCollection/trigger/webhook.ts';
import { CREDENTIAL, OneCredential } from './credential.mts';
import type { Delivery } from './delivery.mts';
import { virtualClock } from './virtualTime.mts';
import { additionalDataOf, nodeOf, workflowOf } from './workflow.mts';

type Context = IWebhookFunctions & WebhookContext;

/** What the node runs in. */
interface Around {
	context: Context;
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

export interface Answer {
	status: number;
	text: string;
	headers: Record<string, string | string[] | undefined>;
}

export interface TriggerHost {
	/** The items with which executions were started, or went on. */
	started: IDataObject[];
	/** What the node threw; it must never throw. */
	thrown: unknown[];
	/** What the node wrote to n8n's log. */
	logged: string[];
	/** Sends a delivery and reads the answer. */
	post(delivery: Delivery): Promise<Answer>;
	stop(): Promise<void>;
}

/** A real HTTP server that does with a delivery what n8n does, around the trigger's `webhook()`. */
export async function startTriggerHost(options: HostOptions = {}): Promise<TriggerHost> {
	const started: IDataObject[] = [];
	const thrown: unknown[] = [];
	const logged: string[] = [];
	const workflow = triggerWorkflow(options);

	const server = createServer((incoming, response) => {
		void handle(incoming, response).catch((error: unknown) => {
			thrown.push(error);
			response.statusCode = 500;
			response.end('{"message":"the node threw"}');
		});
	});

	async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		const context = await contextOf(incoming, response, workflow, options);
		Object.defineProperty(context, 'logger', { value: logger(logged), configurable: true });
		await options.prepare?.({ context, incoming, response });
		answerAsN8n(await handled(context, options), response);
	}

	function answerAsN8n(result: IWebhookResponseData, response: ServerResponse): void {
		if (result.noWebhookResponse) return;
		for (const item of result.workflowData?.[0] ?? []) started.push(item.json);
		response.statusCode = options.status?.() ?? 200;
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(result.webhookResponse));
	}

	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		started,
		thrown,
		logged,
		post: async (delivery) => await post(port, delivery),
		async stop() {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}

/** The context of the trigger's activation. */
export function hookContext(options: HostOptions = {}): HookContext {
	const workflow = triggerWorkflow(options);
	const additionalData = additionalDataOf(credentialOf(options));
	return new HookContext(workflow, nodeOf(workflow), additionalData, 'trigger', 'activate');
}

/** The node's webhook as it is, or with the virtual clock of the test. */
async function handled(context: Context, { waiting }: HostOptions): Promise<IWebhookResponseData> {
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
	new OneCredential({ ...CREDENTIAL, ...credential }, onRead);

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
): Promise<Context> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk as Buffer);
	const rawBody = Buffer.concat(chunks);
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
	const { waiting = null } = options;
	const { description } = waiting ? new DataCollection() : new DataCollectionTrigger();
	const [webhookDescription] = description.webhooks ?? [];
	if (webhookDescription === undefined) throw new Error('The node has no webhook');
	const webhookData = {
		httpMethod: 'POST' as const,
		node: nodeOf(workflow).name,
		path: 'hook-1/webhook',
		webhookDescription,
		workflowId: workflow.id,
		workflowExecuteAdditionalData: additionalData,
	};
	const node = nodeOf(workflow);
	const { mode = 'webhook' } = options;
	return new WebhookContext(workflow, node, additionalData, mode, webhookData, [], waiting);
}

async function post(port: number, { headers: sent, body }: Delivery): Promise<Answer> {
	const target = { port, host: '127.0.0.1', method: 'POST', path: '/webhook/hook-1/webhook' };
	const outgoing = request({ ...target, headers: sent });
	outgoing.end(body);
	const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
	const chunks: Buffer[] = [];
	for await (const chunk of response) chunks.push(chunk as Buffer);
	const { statusCode = 0, headers } = response;
	return { status: statusCode, text: Buffer.concat(chunks).toString(), headers };
}
