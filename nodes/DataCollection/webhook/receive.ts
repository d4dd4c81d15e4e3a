import {
	type INodeExecutionData,
	type IWebhookDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeOperationError,
	UserError,
} from 'n8n-workflow';

import { clock } from '../clock';
import type { Connection } from '../credential/connection';
import { err, type Result } from '../result';
import { deliveryOf, type Verified, verifyDelivery } from './verifyDelivery';

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
 * Verifies the delivery of an HTTP request. The maximum age is in seconds. If it refuses the delivery,
 * it responds, writes the reason to n8n's log, and gives what `webhook()` returns.
 */
export async function receive(
	context: IWebhookFunctions,
	connection: Connection,
	maximumAge: number,
): Promise<Result<Verified, IWebhookResponseData>> {
	const { verificationError, verificationSecrets } = connection;
	if (verificationError !== undefined && verificationSecrets.length === 0) {
		return err(respond(context, 'notConfigured', `Not configured: ${verificationError.message}`));
	}
	const delivery = verifyDelivery(
		await deliveryOf(context),
		connection,
		maximumAge,
		new Date(clock.now()),
	);
	if (delivery.ok) return delivery;
	const { outcome, reason } = delivery.error;
	const unused = verificationError === undefined ? '' : `; ${verificationError.message}`;
	return err(respond(context, outcome, `Delivery refused (${outcome}): ${reason}${unused}`));
}

/**
 * Responds after an error: throwing it would let anybody create failed executions or end a wait. What
 * was entered wrongly throws a UserError.
 */
export function respondToError(context: IWebhookFunctions, error: unknown): IWebhookResponseData {
	const reason = error instanceof Error ? error.message : 'unknown reason';
	return error instanceof UserError || error instanceof NodeOperationError
		? respond(context, 'notConfigured', `Not configured: ${reason}`)
		: respond(context, 'notHandled', `Delivery not handled: ${reason}`);
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
 * Starts or resumes the workflow with the items of each output, in which it hides secrets. n8n responds after
 * storing that, so a 200 can be relied on.
 */
export const accept = (
	{ sanitizer }: Connection,
	outputs: INodeExecutionData[][],
): IWebhookResponseData => ({
	workflowData: outputs.map((items) =>
		items.map((item) => ({ ...item, json: sanitizer.item(item.json) })),
	),
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
