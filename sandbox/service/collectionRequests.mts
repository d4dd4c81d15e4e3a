import type { CreateCollectionRequest } from './createBody.mts';
import type { StoredRequest } from './store.mts';

/** The account that owns every collection request created without a child account. */
export const ORGANISATION = { id: '5a0d0b0c0000000000000001', name: 'Sandbox Organisation' };
const DEFAULT_MAXIMUM = 10;

/** The participant limits in a body, with the sandbox's own defaults for missing ones. */
export function limits(body: CreateCollectionRequest) {
	const { minimumParticipants = 1, participantList = [] } = body;
	const needed = Math.max(DEFAULT_MAXIMUM, minimumParticipants, participantList.length);
	return { minimumParticipants, maximumParticipants: body.maximumParticipants ?? needed };
}

export type CollectionRequest = ReturnType<typeof toCollectionRequest>;

/** The API's representation (Collection request), without secrets. */
export function toCollectionRequest({ id, body, createTime, share }: StoredRequest) {
	return {
		_id: id,
		account_id: body.childAccountId || ORGANISATION.id,
		title: `Data collection: ${body.templateId}`,
		participantList: (body.participantList ?? []).map(({ email = '' }) => ({ email })),
		...limits(body),
		shareStatus: shareStatusOf({ share }),
		createTime,
		...(share && { shareId: share._id }),
		template: { _id: body.templateId, purpose: 'data-collection' },
	};
}

/** The share's status; `open` before a share exists (the sandbox's own choice). */
export const shareStatusOf = ({ share }: Pick<StoredRequest, 'share'>) => share?.status ?? 'open';
