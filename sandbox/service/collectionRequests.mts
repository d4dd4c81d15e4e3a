import type { CreateCollectionRequest } from './createBody.mts';
import type { StoredRequest } from './store.mts';
import type { CollectionRequest } from './types.mts';

/** The account that owns every collection request created without a child account. */
export const ORGANISATION = { id: '5a0d0b0c0000000000000001', name: 'Sandbox Organisation' };
const DEFAULT_MAXIMUM = 10;

/** The participant limits in a body, with the sandbox's own defaults for missing ones. */
export function limits(body: CreateCollectionRequest) {
	const { minimumParticipants = 1, participantList = [] } = body;
	const needed = Math.max(DEFAULT_MAXIMUM, minimumParticipants, participantList.length);
	return { minimumParticipants, maximumParticipants: body.maximumParticipants ?? needed };
}

/** The API's representation (Collection request), without secrets. */
export function toCollectionRequest(request: StoredRequest): CollectionRequest {
	const { id, body, createTime, share } = request;
	return {
		_id: id,
		account_id: accountOf(request),
		title: `Data collection: ${body.templateId}`,
		participantList: (body.participantList ?? []).map(({ email = '' }) => ({ email })),
		...limits(body),
		shareStatus: shareStatusOf(request),
		createTime,
		...(share && { shareId: share._id }),
		template: templateOf(request),
	};
}

export const accountOf = ({ body }: StoredRequest) => body.childAccountId || ORGANISATION.id;

export const templateOf = ({ body }: StoredRequest) => {
	return { _id: body.templateId, purpose: 'data-collection' };
};

/** The share's status; `open` before a share exists (the sandbox's own choice). */
export const shareStatusOf = ({ share }: StoredRequest) => share?.status ?? 'open';

/** Its topic, to show to people: the webhook identifier; undefined if there is none. */
export function topicOf({ body }: StoredRequest): string | undefined {
	const topic = body.webhookIdentifier?.trim() ?? '';
	return topic.length > 200 ? `${topic.slice(0, 200)}…` : topic || undefined;
}

/** The path of its guest link, without the origin. */
export const guestPath = ({ id }: StoredRequest) => `/request/${id}`;
