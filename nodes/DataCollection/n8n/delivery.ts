import {
	type INodeExecutionData,
	type IWebhookDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeOperationError,
	UserError,
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

/**
 * Responds after an error: throwing it would let anybody create failed executions or end a wait. A
 * UserError says that something was entered wrongly.
 */
export function respondToError(context: IWebhookFunctions, error: unknown): IWebhookResponseData {
	const reason = error instanceof Error ? error.message : 'unknown reason';
	return error instanceof UserError || error instanceof NodeOperationError
		? respond(context, 'notConfigured', `Not configured: ${reason}`)
		: respond(context, 'notHandled', `Delivery not handled: ${reason}`);
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

/** Constant responses that repeat nothing of the request, and the log level for the reason. */
const RESPONSES = {
	duplicate: { code: 200, status: 'duplicate', level: 'debug' },
	filtered: { code: 200, status: 'filtered', level: 'debug' },
	ignored: { code: 200, status: 'ignored', level: 'debug' },
	waiting: { code: 200, status: 'waiting', level: 'debug' },
	malformed: { code: 400, status: 'malformed', level: 'warn' },
	unverified: { code: 401, status: 'unverified', level: 'warn' },
	tooLarge: { code: 413, status: 'too large', level: 'warn' },
	notConfigured: { code: 500, status: 'not configured', level: 'error' },
	notHandled: { code: 500, status: 'not handled', level: 'error' },
	notChecked: { code: 503, status: 'not checked', level: 'warn' },
} as const;

type Outcome = keyof typeof RESPONSES;

/**
 * Starts or resumes the workflow with the items of each output. n8n responds after storing that, so a
 * 200 can be relied on.
 */
export const accept = (workflowData: INodeExecutionData[][]): IWebhookResponseData => ({
	workflowData,
	webhookResponse: { status: 'accepted' },
});

/** Responds to a delivery that starts nothing, in n8n's place. The reason goes to n8n's log. */
export function respond(
	context: IWebhookFunctions,
	outcome: Outcome,
	reason?: string,
): IWebhookResponseData {
	const { code, status, level } = RESPONSES[outcome];
	if (reason !== undefined) log(context, level, reason);
	const response = context.getResponseObject();
	if (!response.headersSent) response.status(code).json({ status });
	return { noWebhookResponse: true };
}

/** Writes to n8n's log. An error in the logger must not change the response. */
function log(context: IWebhookFunctions, level: 'error' | 'warn' | 'debug', text: string): void {
	try {
		const { name: node } = context.getNode();
		context.logger[level](text, { workflowId: context.getWorkflow().id, node });
	} catch {
		// There is nowhere left to report this.
	}
}
