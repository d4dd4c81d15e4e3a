import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { accepted, answer } from '../context/answers';
import type { Verified } from '../context/delivery';
import { handleDelivery } from '../context/delivery';
import { guestLink } from '../shared/guestLink';
import { createSeenDeliveries } from '../shared/seenDeliveries';
import { isAccepted } from './acceptance';
import { passesFilters } from './filters';
import { readIncluded } from './include';

const DEFAULT_MAXIMUM_AGE = 300;
const DAY = 24 * 60 * 60;

/** One memory for all triggers of this process; each n8n process has its own. */
const seenDeliveries = createSeenDeliveries();

/**
 * Handles one delivery: verified, not filtered out and not seen before, it starts the workflow with
 * one item.
 */
export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await handleDelivery.call(this, {
		maximumAge: () => maximumAgeOf.call(this),
		accept: async (verified) => await accept.call(this, verified),
	});
}

async function accept(
	this: IWebhookFunctions,
	{ notification, signature, deliveryId, connection, maximumAge }: Verified,
): Promise<IWebhookResponseData> {
	if (!passesFilters.call(this, notification)) return answer.call(this, 'filtered');
	if (!(await claim.call(this, signature, maximumAge))) return answer.call(this, 'duplicate');

	const item: IDataObject = {
		...notification,
		deliveryId,
		guestLink: guestLink(connection.collectUrl, notification.requestId),
		...(await readIncluded.call(this, connection, notification.requestId)),
	};
	return accepted({ json: item });
}

/**
 * Claims the notification for this trigger, false when it was seen before. The signature is the
 * key: it cannot be changed without being refused, while the delivery ID is unsigned. Forgotten
 * again when n8n does not accept the delivery after all, so that it can be sent once more.
 */
async function claim(
	this: IWebhookFunctions,
	signature: string,
	maximumAge: number,
): Promise<boolean> {
	const owner = [this.getWorkflow().id, this.getNode().id, this.getMode()].join('/');
	const expiresAt = Date.now() + lifetime(maximumAge);
	const settle = await seenDeliveries.claim(`${owner}/${signature}`, expiresAt);
	if (settle === undefined) return false;
	void isAccepted(this.getResponseObject()).then(settle);
	return true;
}

/** Milliseconds after which a repetition is refused as too old anyway; a day without that check. */
const lifetime = (maximumAge: number) => (maximumAge === 0 ? DAY : 2 * maximumAge) * 1000;

/** Options > Maximum Age in seconds; what is no number above or equal to 0 counts as not set. */
function maximumAgeOf(this: IWebhookFunctions): number {
	const { maximumAge } = this.getNodeParameter('options', {}) as IDataObject;
	return typeof maximumAge === 'number' && maximumAge >= 0 ? maximumAge : DEFAULT_MAXIMUM_AGE;
}
