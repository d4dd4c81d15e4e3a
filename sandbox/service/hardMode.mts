import type { CollectionRequest, Delivery, Share } from './types.mts';

/** The only event that the API describes (Delivery). */
export const UPDATED = 'collection_request.updated';

/** What hard mode does, in sentences for people. The rest of this file does it. */
export const hardMode: readonly string[] = [
	'Reads return only what a workflow cannot do without: IDs, the status, the email addresses of invited people, the type, name and email address of participants, and the labels and values of answers. Anything else is left out, and so is the status until the share exists.',
	'Each notification has two others before it: one with a status that nobody knows (in_review), and one with an event that nobody knows (collection_request.viewed) and no status.',
	'Each notification comes again twice: first with exactly the same bytes and headers, then with a new signature and a new delivery ID. After that, every earlier notification of the collection request comes again in the second way, so that old news follows new news.',
	'If several changes happen in one moment, the last one is reported first.',
	'Timestamps are in seconds. Each is later than the one before, so they can be some seconds ahead.',
];

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
