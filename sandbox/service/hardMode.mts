// Hard mode, which docs/sandbox.md describes: what is hard for a workflow, as far as the API allows it.
import type { CollectionRequest } from './collectionRequests.mts';
import type { Delivery, Share } from './types.mts';

/** The only event that the API describes (Delivery). */
const UPDATED = 'collection_request.updated';

/** One delivery to send. */
export interface Step {
	kind: Delivery['kind'];
	event: string;
	shareStatus?: string;
	/** Whether it is the step before, byte for byte. */
	isExact?: boolean;
}

/** The delivery that reports a change to this status. */
export const stepOf = (shareStatus: string): Step => {
	return { kind: 'notification', event: UPDATED, shareStatus };
};

/** The deliveries for these changes of status, after those of `earlier`; both are oldest first. */
export function hardSteps(due: string[], earlier: string[]): Step[] {
	const told = [...earlier];
	return due.toReversed().flatMap((shareStatus): Step[] => {
		told.push(shareStatus);
		return [
			{ kind: 'unknown', event: UPDATED, shareStatus: 'in_review' },
			{ kind: 'unknown', event: 'collection_request.viewed' },
			stepOf(shareStatus),
			{ ...stepOf(shareStatus), kind: 'redelivery', isExact: true },
			...told.toReversed().map((status): Step => ({ ...stepOf(status), kind: 'redelivery' })),
		];
	});
}

/** The timestamp of a notification that `count` others of its collection request precede. */
export const hardTimestamp = (count: number) => String(Math.floor(Date.now() / 1000) + count);

/** A collection request with nothing that can be left out. */
export function hardRequest(whole: CollectionRequest): CollectionRequest {
	const { _id, shareId, shareStatus, participantList } = whole;
	const invited = participantList.map(({ email }) => (email === '' ? {} : { email }));
	const ofShare = shareId === undefined ? {} : { shareId, shareStatus };
	return { _id, participantList: invited, ...ofShare } as CollectionRequest;
}

/** A share with nothing that can be left out. */
export function hardShare(whole: Share): Share {
	const { _id, collectionRequestId, status } = whole;
	const participants = whole.participants.map(({ accountType, accountSnapshot }) => {
		const { name, email } = accountSnapshot;
		return { accountType, accountSnapshot: { name, ...(email !== null && { email }) } };
	});
	const otherFields = whole.otherFields.map(({ label, value }) => ({ label, value }));
	return { _id, collectionRequestId, status, participants, otherFields } as Share;
}
