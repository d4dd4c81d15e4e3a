import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { answer } from './answers';
import { INCOMPLETE_SECRETS } from '../shared/webhookSecrets';
import type { Connection } from './connection';
import { connectionOf } from './connection';
import type { Received } from './notification';
import { receiveNotification } from './notification';

/** A verified notification, and what it was verified with. */
export type Verified = Extract<Received, { outcome: 'verified' }> & {
	connection: Connection;
	/** Seconds; see {@link Handling}. */
	maximumAge: number;
};

/** How one node treats deliveries. */
export interface Handling {
	/** Seconds that the signed timestamp may differ from now; 0 switches the check off. */
	maximumAge: () => number;
	/** Decides about a verified notification: answers it, or hands the workflow an item. */
	accept: (verified: Verified) => Promise<IWebhookResponseData>;
}

/**
 * Verifies a delivery and answers every one that is not a verified notification. Never throws: in a
 * trigger a throw would let anybody create failed executions, in a resume it would end the wait.
 */
export async function handleDelivery(
	this: IWebhookFunctions,
	handling: Handling,
): Promise<IWebhookResponseData> {
	try {
		return await handle.call(this, handling);
	} catch (error) {
		log.call(this, 'error', `Delivery not handled: ${messageOf(error)}`);
		return answer.call(this, 'notConfigured');
	}
}

async function handle(this: IWebhookFunctions, handling: Handling): Promise<IWebhookResponseData> {
	const connection = await connectionOf.call(this);
	if (connection.verificationSecrets.length === 0) {
		log.call(this, 'error', 'Not configured: the credential has no webhook secret');
		return answer.call(this, 'notConfigured');
	}

	const maximumAge = handling.maximumAge();
	const now = new Date();
	const received = await receiveNotification.call(this, { connection, maximumAge, now });
	if (received.outcome === 'verified') {
		return await handling.accept({ ...received, connection, maximumAge });
	}
	const lost = connection.areIncomplete ? `; ${INCOMPLETE_SECRETS.message}` : '';
	log.call(this, 'warn', `Delivery refused (${received.outcome}): ${received.reason}${lost}`);
	return answer.call(this, received.outcome);
}

/** Writes to n8n's log; a logger that throws must not decide about the answer. */
export function log(this: IWebhookFunctions, level: 'error' | 'warn', text: string): void {
	try {
		this.logger[level](text, { workflowId: this.getWorkflow().id, node: this.getNode().name });
	} catch {
		// Nothing is left to tell it to.
	}
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : 'unknown reason');
