import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { connectionOf } from '../context/connection';
import { receiveNotification } from '../context/notification';
import { guestLink } from '../shared/guestLink';
import { createSeenDeliveries } from '../shared/seenDeliveries';
import { answer } from './answers';
import { passesFilters } from './filters';

const DEFAULT_MAXIMUM_AGE = 300;
const DAY = 24 * 60 * 60;

/** One memory for all triggers of this process; each n8n process has its own. */
const seenDeliveries = createSeenDeliveries();

/**
 * Handles one delivery: verified, not filtered out and not seen before, it starts the workflow with
 * one item. Never throws: a throw would let anybody create failed executions.
 */
export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await handle.call(this);
	} catch (error) {
		log.call(this, 'error', `Delivery not handled: ${messageOf(error)}`);
		return answer.call(this, 'notConfigured');
	}
}

async function handle(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const connection = await connectionOf.call(this);
	if (connection.verificationSecrets.length === 0) {
		log.call(this, 'error', 'Trigger not configured: the credential has no webhook secret');
		return answer.call(this, 'notConfigured');
	}

	const maximumAge = maximumAgeOf.call(this);
	const now = new Date();
	const received = await receiveNotification.call(this, { connection, maximumAge, now });
	if (received.outcome !== 'verified') {
		log.call(this, 'warn', `Delivery refused (${received.outcome}): ${received.reason}`);
		return answer.call(this, received.outcome);
	}

	const { notification, signature, deliveryId } = received;
	if (!passesFilters.call(this, notification)) return answer.call(this, 'filtered');
	if (!(await claim.call(this, signature, now.getTime() + lifetime(maximumAge)))) {
		return answer.call(this, 'duplicate');
	}

	const item: IDataObject = {
		...notification,
		deliveryId,
		guestLink: guestLink(connection.collectUrl, notification.requestId),
	};
	return { workflowData: [[{ json: item }]] };
}

/**
 * Claims the notification for this trigger, false when it was seen before. The signature is the
 * key: it cannot be changed without being refused, while the delivery ID is unsigned. Forgotten
 * again when n8n does not accept the delivery after all, so that it can be sent once more.
 */
async function claim(this: IWebhookFunctions, signature: string, expiresAt: number) {
	const owner = [this.getWorkflow().id, this.getNode().id, this.getMode()].join('/');
	const settle = await seenDeliveries.claim(`${owner}/${signature}`, expiresAt);
	if (settle === undefined) return false;
	const response = this.getResponseObject();
	const settleByAnswer = () => settle(response.statusCode < 300);
	// A sender that has given up already leaves no further event to wait for.
	if (response.closed) settleByAnswer();
	else response.once('close', settleByAnswer);
	return true;
}

/** Milliseconds after which a repetition is refused as too old anyway; a day without that check. */
const lifetime = (maximumAge: number) => (maximumAge === 0 ? DAY : 2 * maximumAge) * 1000;

/** Options > Maximum Age in seconds; what is no number above or equal to 0 counts as not set. */
function maximumAgeOf(this: IWebhookFunctions): number {
	const { maximumAge } = this.getNodeParameter('options', {}) as IDataObject;
	return typeof maximumAge === 'number' && maximumAge >= 0 ? maximumAge : DEFAULT_MAXIMUM_AGE;
}

/** Writes to n8n's log; a logger that throws must not decide about the answer. */
function log(this: IWebhookFunctions, level: 'error' | 'warn', text: string): void {
	try {
		this.logger[level](text, { workflowId: this.getWorkflow().id, node: this.getNode().name });
	} catch {
		// Nothing is left to tell it to.
	}
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : 'unknown reason');
