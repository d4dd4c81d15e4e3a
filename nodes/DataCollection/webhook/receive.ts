import type {
	INodeExecutionData,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import type { Connection } from '../credential/connection';
import { INCOMPLETE_SECRETS } from '../credential/secrets';
import type { Verified } from './verifyDelivery';
import { readDelivery, verifyDelivery } from './verifyDelivery';

/**
 * Where n8n takes deliveries, below the address that it gives the node. It has no response of its own,
 * so that n8n takes the one that {@link accept} gives: an object here would have to be an expression,
 * which n8n evaluates in a virtual machine, twice for every delivery, forged ones too.
 */
export const deliveriesAt = (path: string): IWebhookDescription => ({
	name: 'default',
	httpMethod: 'POST',
	responseMode: 'onReceived',
	responseData: '',
	path,
});

/**
 * Reads and verifies the delivery of a request; the maximum age is in seconds. Undefined when it does
 * not count: it is responded to then, and n8n's log says why.
 */
export async function receive(
	context: IWebhookFunctions,
	connection: Connection,
	maximumAge: number,
	now: Date,
): Promise<Verified | undefined> {
	if (connection.verificationSecrets.length === 0) {
		respond(context, 'notConfigured', 'Not configured: the credential has no webhook secret');
		return undefined;
	}
	const delivery = verifyDelivery(await readDelivery(context), connection, maximumAge, now);
	if (delivery.outcome === 'verified') return delivery;
	const { outcome, reason } = delivery;
	const lost = connection.areIncomplete ? `; ${INCOMPLETE_SECRETS.message}` : '';
	respond(context, outcome, `Delivery refused (${outcome}): ${reason}${lost}`);
	return undefined;
}

/** Responds where something threw: n8n would let anybody create failed executions, or end a wait. */
export function notHandled(context: IWebhookFunctions, error: unknown): IWebhookResponseData {
	const reason = error instanceof Error ? error.message : 'unknown reason';
	return respond(context, 'notConfigured', `Delivery not handled: ${reason}`);
}

/** What a sender learns, nothing of the request; and the level at which the log takes the reason. */
const RESPONSES = {
	duplicate: { code: 200, status: 'duplicate', level: 'debug' },
	filtered: { code: 200, status: 'filtered', level: 'debug' },
	ignored: { code: 200, status: 'ignored', level: 'debug' },
	waiting: { code: 200, status: 'waiting', level: 'debug' },
	malformed: { code: 400, status: 'malformed', level: 'warn' },
	unverified: { code: 401, status: 'unverified', level: 'warn' },
	tooLarge: { code: 413, status: 'too large', level: 'warn' },
	notConfigured: { code: 500, status: 'not configured', level: 'error' },
	notChecked: { code: 503, status: 'not checked', level: 'warn' },
} as const;

/** Starts or resumes the workflow; n8n responds once that is stored: a promise. */
export const accept = (items: INodeExecutionData[]): IWebhookResponseData => ({
	workflowData: [items],
	webhookResponse: { status: 'accepted' },
});

/** Responds to a delivery that starts nothing; n8n sends nothing further. The reason is for its log. */
export function respond(
	context: IWebhookFunctions,
	outcome: keyof typeof RESPONSES,
	reason?: string,
): IWebhookResponseData {
	const { code, status, level } = RESPONSES[outcome];
	if (reason !== undefined) log(context, level, reason);
	const response = context.getResponseObject();
	if (!response.headersSent) response.status(code).json({ status });
	return { noWebhookResponse: true };
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
