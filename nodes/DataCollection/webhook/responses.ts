import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { Connection } from '../credential/connection';
import { INCOMPLETE_SECRETS } from '../credential/secrets';
import type { Refused } from './verifyDelivery';

/** What a sender learns, besides the status: one constant body each, nothing of the request. */
const RESPONSES = {
	filtered: { status: 200, body: { status: 'filtered' } },
	waiting: { status: 200, body: { status: 'waiting' } },
	duplicate: { status: 200, body: { status: 'duplicate' } },
	malformed: { status: 400, body: { status: 'malformed' } },
	ignored: { status: 200, body: { status: 'ignored' } },
	unverified: { status: 401, body: { status: 'unverified' } },
	tooLarge: { status: 413, body: { status: 'too large' } },
	notChecked: { status: 503, body: { status: 'not checked' } },
	notConfigured: { status: 500, body: { status: 'not configured' } },
} as const;

/**
 * What the description of a webhook has for its response: nothing, so that n8n takes the one that
 * {@link accept} gives. An object in the description would have to be an expression, which n8n
 * evaluates in a virtual machine, twice for every delivery, forged ones too.
 */
export const RESPONSE_OF_THE_NODE = '';

/** Starts or resumes the workflow; n8n responds once that is stored: a promise. */
export const accept = (items: INodeExecutionData[]): IWebhookResponseData => ({
	workflowData: [items],
	webhookResponse: { status: 'accepted' },
});

/** Responds to a delivery that starts nothing; n8n sends nothing further. */
export function respond(
	context: IWebhookFunctions,
	outcome: keyof typeof RESPONSES,
): IWebhookResponseData {
	const { status, body } = RESPONSES[outcome];
	const response = context.getResponseObject();
	if (!response.headersSent) response.status(status).json(body);
	return { noWebhookResponse: true };
}

/** Responds to a verified notification that is not wanted here; the log says what excludes it. */
export function filter(context: IWebhookFunctions, excludedBy: string): IWebhookResponseData {
	log(context, 'debug', `Delivery filtered: excluded by ${excludedBy}`);
	return respond(context, 'filtered');
}

/** Responds to a delivery that is not a verified notification; the log says why. */
export function refuse(
	context: IWebhookFunctions,
	{ areIncomplete }: Connection,
	{ outcome, reason }: Refused,
): IWebhookResponseData {
	const lost = areIncomplete ? `; ${INCOMPLETE_SECRETS.message}` : '';
	log(context, 'warn', `Delivery refused (${outcome}): ${reason}${lost}`);
	return respond(context, outcome);
}

/** Responds when no delivery can be verified: there is no secret, or no usable credential. */
export function notConfigured(context: IWebhookFunctions, error?: unknown): IWebhookResponseData {
	const reason = error instanceof Error ? error.message : 'unknown reason';
	const why =
		error === undefined
			? 'Not configured: the credential has no webhook secret'
			: `Delivery not handled: ${reason}`;
	log(context, 'error', why);
	return respond(context, 'notConfigured');
}

/** Writes to n8n's log; a logger that throws must not decide about the response. */
function log(context: IWebhookFunctions, level: 'error' | 'warn' | 'debug', text: string): void {
	try {
		const { name: node } = context.getNode();
		context.logger[level](text, { workflowId: context.getWorkflow().id, node });
	} catch {
		// Nothing is left to tell it to.
	}
}
