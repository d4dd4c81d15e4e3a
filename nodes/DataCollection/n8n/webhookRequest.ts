import type {
	INodeExecutionData,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { clock } from '../basics/clock';

/**
 * Without a response here, n8n uses that of {@link accept}. An object would have to be an
 * expression, which n8n evaluates in a virtual machine, twice for every delivery, even a forged
 * one.
 */
export const deliveriesAt = (path: string): IWebhookDescription => ({
	name: 'default',
	httpMethod: 'POST',
	responseMode: 'onReceived',
	responseData: '',
	path,
});

/** For some content types, n8n reads the raw bytes only on request. Without body if it cannot. */
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

/** n8n's response says whether it has stored the execution, also if the sender has hung up. */
export async function waitUntilAccepted(context: IWebhookFunctions): Promise<boolean> {
	const response = context.getResponseObject();
	if (!response.closed) await new Promise((resolve) => response.once('close', resolve));
	const end = clock.now() + LAST_LOOK;
	while (!response.writableEnded && clock.now() < end) await clock.sleep(PAUSE);
	return response.writableEnded && response.statusCode < 300;
}

/** n8n responds after it has stored the items, so a 200 can be relied on. */
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

/** Responds in n8n's place to a delivery that starts nothing. The reason goes to n8n's log. */
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

/** An error in the logger must not change the response. */
function log(context: IWebhookFunctions, level: DeliveryResponse['level'], text: string): void {
	try {
		const { name: node } = context.getNode();
		context.logger[level](text, { workflowId: context.getWorkflow().id, node });
	} catch {
		// The logger has failed, so nothing can report this.
	}
}
