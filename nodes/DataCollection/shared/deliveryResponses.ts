import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isEntryError } from '../n8n/errors';
import { type DeliveryResponse, respondWith } from '../n8n/webhookRequest';
import type { Refusal } from '../service/signature';

const OUTCOMES = {
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
} as const satisfies Record<string, DeliveryResponse>;

/** The reason goes to n8n's log. */
export const respond = (
	context: IWebhookFunctions,
	outcome: keyof typeof OUTCOMES,
	reason?: string,
): IWebhookResponseData => respondWith(context, OUTCOMES[outcome], reason);

export const refuse = (context: IWebhookFunctions, { outcome, reason }: Refusal) =>
	outcome === 'notConfigured'
		? respond(context, outcome, `Not configured: ${reason}`)
		: respond(context, outcome, `Delivery refused (${outcome}): ${reason}`);

/** Throwing the error would let anybody create failed executions or end a wait. */
export function respondToError(context: IWebhookFunctions, error: unknown): IWebhookResponseData {
	const reason = error instanceof Error ? error.message : 'unknown reason';
	return isEntryError(error)
		? respond(context, 'notConfigured', `Not configured: ${reason}`)
		: respond(context, 'notHandled', `Delivery not handled: ${reason}`);
}
