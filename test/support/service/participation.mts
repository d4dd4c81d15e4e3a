import assert from 'node:assert/strict';
import type { Json } from '../../../sandbox/n8n/types.mts';
import { payload, signed, valueOf } from '../delivery.mts';
import { send } from '../send.mts';
import { joined, log, neededOf, newShare, QUESTIONS } from './requests.mts';
import type { Person, Sent, Stored } from './requests.mts';

// What people do to a collection request. Each new status is reported.

const SUBMITTED = 'Answers submitted';
const isSubmission = ({ remark }: Json) => remark === SUBMITTED;

const shareOf = (request: Stored) => (request.share ??= newShare(request));

/** Lets somebody join who has not submitted yet. */
export function join(request: Stored, person: Person): void {
	const isNew = request.share === undefined;
	log(shareOf(request), 'Participant joined', joined(request, shareOf(request), person));
	if (isNew) report(request);
}

/** Lets somebody submit the form of the guest page, with this answer to its first question; once. */
export function submit(request: Stored, person: Person, value: string): void {
	const isNew = request.share === undefined;
	const share = shareOf(request);
	assert.equal(share.status, 'open', 'A completed form takes no answers');
	const account = joined(request, share, person);
	const ofAccount = ({ updatedByAccount_id }: Json) => updatedByAccount_id === account._id;
	if (share.updateLogs.filter(isSubmission).some(ofAccount)) return;
	for (const [index, question] of QUESTIONS.entries()) {
		share.otherFields.push({ ...question, type: 'text', value: index === 0 ? value : '' });
	}
	log(share, SUBMITTED, account);
	if (share.updateLogs.filter(isSubmission).length >= neededOf(request)) share.status = 'completed';
	if (isNew || share.status === 'completed') report(request);
}

/** Completes it as if everybody had submitted. */
export function complete(request: Stored): void {
	const isNew = request.share === undefined;
	const share = shareOf(request);
	if (isNew) report(request);
	if (share.status === 'completed') return;
	share.status = 'completed';
	log(share, 'Share completed');
	report(request);
}

const turns = new WeakMap<Stored, Promise<void>>();

/** Reports the current status, after what is under way. No retries: the API describes none (Delivery). */
function report(request: Stored): void {
	const { webhookUrl } = request.body;
	if (webhookUrl === undefined) return;
	const shareStatus = shareOf(request).status;
	const turn = turns.get(request) ?? Promise.resolve();
	turns.set(
		request,
		turn.then(() => notify(request, webhookUrl, shareStatus)),
	);
}

/** Sends one signed notification, and notes the response. */
async function notify({ id, body, deliveries }: Stored, url: string, shareStatus: string) {
	const { webhookSecret: secret, webhookIdentifier } = body;
	const timestamp = String(Date.now());
	const fields = payload({ requestId: id, shareStatus, webhookIdentifier, timestamp });
	const delivery = signed({ secret, timestamp, body: fields });
	const deliveryId = valueOf(delivery, 'X-SVC-Delivery-Id');
	const sent: Sent = { deliveryId, shareStatus, response: '' };
	deliveries.push(sent);
	sent.response = await send(url, delivery, 5_000).catch(() => 'none in time');
}
