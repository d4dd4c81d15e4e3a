import type {
	INodeExecutionData,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { clock } from '../basics/clock';

/**
 * The webhook at this path, below the address that n8n gives the node. It declares no response, so
 * that n8n uses the one from {@link accept}. An object here would have to be an expression, and n8n
 * would evaluate it in a virtual machine, twice for every delivery, even a forged one.
 */
export const deliveriesAt = (path: string): IWebhookDescription => ({
	name: 'default',
	httpMethod: 'POST',
	responseMode: 'onReceived',
	responseData: '',
	path,
});

/**
 * One POST as it arrived. For some content types, n8n reads the raw bytes only on request. Without body
 * if it cannot provide them.
 */
export async function deliveryOf(context: IWebhookFunctions) {
	const request = context.getRequestObject();
	const { headers } = request;
	try {
		if (!Buffer.isBuffer(request.rawBody)) await request.readRawBody();
	} catch {
		return { body: undefined, headers };
	}
	return { body: Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined, headers };
}

/** Milliseconds between two checks of a response that nobody receives, and until the last check. */
const PAUSE = 250;
const LAST_LOOK = 60_000;

/**
 * Resolves to whether n8n accepted the delivery, as soon as n8n has responded. If the sender has
 * hung up, n8n still continues and writes a response that nobody receives. Only that response tells
 * whether the execution was stored.
 */
export async function isAccepted(context: IWebhookFunctions): Promise<boolean> {
	const response = context.getResponseObject();
	if (!response.closed) await new Promise((resolve) => response.once('close', resolve));
	const end = clock.now() + LAST_LOOK;
	while (!response.writableEnded && clock.now() < end) await clock.sleep(PAUSE);
	return response.writableEnded && response.statusCode < 300;
}

/**
 * Starts or resumes the workflow with the items of each output. n8n responds after storing that, so a
 * 200 can be relied on.
 */
export const accept = (workflowData: INodeExecutionData[][]): IWebhookResponseData => ({
	workflowData,
	webhookResponse: { status: 'accepted' },
});

/** A constant response that repeats nothing of the request, and the log level for the reason. */
export interface DeliveryResponse {
	code: number;
	status: string;
	level: 'error' | 'warn' | 'debug';
}

/** Responds to a delivery that starts nothing, in n8n's place. The reason goes to n8n's log. */
export function respondWith(
	context: IWebhookFunctions,
	{ code, status, level }: DeliveryResponse,
	reason?: string,
): IWebhookResponseData {
	if (reason !== undefined) log(context, level, reason);
	const response = context.getResponseObject();
	if (!response.headersSent) response.status(code).json({ status });
	return { noWebhookResponse: true };
}

/** Writes to n8n's log. An error in the logger must not change the response. */
function log(context: IWebhookFunctions, level: DeliveryResponse['level'], text: string): void {
	try {
		const { name: node } = context.getNode();
		context.logger[level](text, { workflowId: context.getWorkflow().id, node });
	} catch {
		// There is nowhere left to report this.
	}
}
