import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/** What a sender learns, besides the status: one constant body each, nothing of the request. */
const ANSWERS = {
	filtered: { status: 200, body: { status: 'filtered' } },
	waiting: { status: 200, body: { status: 'waiting' } },
	duplicate: { status: 200, body: { status: 'duplicate' } },
	malformed: { status: 400, body: { status: 'malformed' } },
	foreign: { status: 400, body: { status: 'not for this request' } },
	unverified: { status: 401, body: { status: 'unverified' } },
	tooLarge: { status: 413, body: { status: 'too large' } },
	notConfigured: { status: 500, body: { status: 'not configured' } },
} as const;

/**
 * The answer to an accepted delivery. n8n sends it once the execution is stored, so that the 200
 * is a promise; an expression, because a plain text would be sent as text.
 */
export const ACCEPTED_ANSWER = '={{ { status: "accepted" } }}';

/** Answers a delivery that starts nothing; n8n sends nothing further. */
export function answer(
	this: IWebhookFunctions,
	outcome: keyof typeof ANSWERS,
): IWebhookResponseData {
	const { status, body } = ANSWERS[outcome];
	const response = this.getResponseObject();
	if (!response.headersSent) response.status(status).json(body);
	return { noWebhookResponse: true };
}
