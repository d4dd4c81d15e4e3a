import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

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
 * What the description of a webhook has for its answer: nothing, so that n8n takes the one that
 * {@link accepted} gives. An object in the description would have to be an expression, which n8n
 * evaluates in a virtual machine, twice for every delivery, forged ones too.
 */
export const ANSWERED_BY_THE_NODE = '';

/** Starts or resumes the workflow with one item; n8n answers once that is stored: a promise. */
export const accepted = (item: INodeExecutionData): IWebhookResponseData => ({
	workflowData: [[item]],
	webhookResponse: { status: 'accepted' },
});

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
