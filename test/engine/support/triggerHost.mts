import { HookContext, WebhookContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	IRunExecutionData,
	IWebhookDescription,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { DataCollection } from '../../../nodes/DataCollection/DataCollection.node.ts';
import { DataCollectionTrigger } from '../../../nodes/DataCollection/DataCollectionTrigger.node.ts';
import { payload, signed, type Delivery } from '../../support/delivery.mts';
import { listen } from '../../support/listener.mts';
import { send } from '../../support/send.mts';
import { credentialWith } from './storedCredential.mts';
import { useVirtualTime } from './virtualTime.mts';
import { additionalDataOf, nodeOf, workflowOf } from './workflow.mts';

export interface HostOptions {
	parameters?: INodeParameters;
	/** Fields that differ from the defaults; each delivery sees their current values. */
	credential?: ICredentialDataDecryptedObject;
	/** Runs whenever n8n reads the credential; may throw. */
	onRead?: () => void;
	settings?: Partial<INode>;
	workflowId?: string;
	/** How the trigger was started; `webhook` (production) by default. */
	mode?: WorkflowExecuteMode;
	/** The data of a waiting execution, for the webhook of its node, whose parameters these are. */
	waiting?: IRunExecutionData;
	/** The workflow of that execution; by default, one without other nodes. */
	workflow?: Workflow;
	/** The status of n8n's response once an execution has been started; 200 by default. */
	status?: () => number;
	/** Runs before the node; may damage what the node will use, to see how it copes. */
	prepare?: (around: {
		context: WebhookContext;
		incoming: IncomingMessage;
		response: ServerResponse;
	}) => void | Promise<void>;
}

const { now } = useVirtualTime();

export type TriggerHost = Awaited<ReturnType<typeof startTriggerHost>>;

const thrown: unknown[] = [];
const stops: Array<() => Promise<unknown>> = [];

afterEach(async () => {
	await Promise.all(stops.splice(0).map(async (stop) => await stop()));
	// The node must never throw.
	expect(thrown.splice(0)).toEqual([]);
});

/**
 * A real HTTP server that treats a delivery as n8n does, around the node's `webhook()`; it ends
 * with the test.
 */
export async function startTriggerHost(options: HostOptions = {}) {
	/** The items with which executions were started or resumed. */
	const started: IDataObject[] = [];
	/** The items of each output with which the execution was resumed. */
	const outputs: INodeExecutionData[][] = [];
	/** What the node wrote to n8n's log. */
	const logged: string[] = [];
	const setup = setUp(options);

	async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		const context = await contextOf(incoming, response, setup, options);
		Object.defineProperty(context, 'logger', { value: logger(logged), configurable: true });
		await options.prepare?.({ context, incoming, response });
		const result = await setup.type.webhook.call(context);
		outputs.push(...(result.workflowData ?? []));
		for (const item of result.workflowData?.[0] ?? []) started.push(item.json);
		if (result.noWebhookResponse) return;
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
	/** Resolves to the response, such as `200 accepted`. */
	const post = async (delivery: Delivery) => await send(url, delivery);
	/** Sends a notification as the service does. */
	const notify = async (changes: IDataObject = {}, secret?: string, at = now()) =>
		await post(signed({ secret, body: payload(changes), timestamp: String(Math.floor(at)) }));
	return { url, started, outputs, logged, post, notify };
}

/** Sends deliveries to a new trigger, one after the other. */
export async function deliver(deliveries: Delivery[], options?: HostOptions) {
	const { post, started, logged } = await startTriggerHost(options);
	const responses: string[] = [];
	for (const delivery of deliveries) responses.push(await post(delivery));
	return { responses, started, logged };
}

/** The context in which the trigger is activated. */
export function hookContext(options: HostOptions = {}): HookContext {
	const { workflow, node } = setUp(options);
	const additionalData = additionalDataOf(options.credential);
	return new HookContext(workflow, node, additionalData, 'trigger', 'activate');
}

let hosts = 0;

/** Each host gets its own node: triggers remember deliveries and credentials for a while. */
function setUp({ parameters = {}, settings, workflowId: id, waiting, ...more }: HostOptions) {
	const type = waiting ? new DataCollection() : new DataCollectionTrigger();
	const stored = waiting?.executionData?.nodeExecutionStack[0]?.node;
	const node = nodeOf(type, parameters, { ...stored, id: `node-${(hosts += 1)}`, ...settings });
	const { workflow = workflowOf([type], [node], id ? { id } : {}) } = more;
	return { node, workflow, type };
}

const logger = (logged: string[]) => {
	const write = (text: string, metadata?: object) =>
		void logged.push(`${text} ${JSON.stringify(metadata ?? {})}`);
	return { debug: write, info: write, warn: write, error: write };
};

/** The request and the response, with what n8n's body parser and Express add to them. */
async function asInExpress(incoming: IncomingMessage, response: ServerResponse) {
	const rawBody = await buffer(incoming);
	const readRawBody = async () => await Promise.resolve();
	const added = { rawBody, body: {}, params: {}, query: {}, readRawBody };
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
	const http: unknown = { httpRequest: Object.assign(incoming, added), httpResponse };
	return http as Pick<IWorkflowExecuteAdditionalData, 'httpRequest' | 'httpResponse'>;
}

async function contextOf(
	incoming: IncomingMessage,
	response: ServerResponse,
	{ workflow, node, type }: ReturnType<typeof setUp>,
	options: HostOptions,
): Promise<WebhookContext> {
	const http = await asInExpress(incoming, response);
	const { waiting = null, mode = 'webhook', credential, onRead } = options;
	const credentialsHelper = credentialWith(credential, onRead);
	const additionalData = additionalDataOf({}, { ...http, credentialsHelper });
	const [webhookDescription] = type.description.webhooks as [IWebhookDescription];
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
