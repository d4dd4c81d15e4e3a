import { newId } from './ids.mts';
import type { Environment } from './options.mts';
import type { CreateCollectionRequest, ParticipantDetails } from './types.mts';
import type { ShareStatus, StoredRequest } from './types.mts';

/** The account that owns every request created without a child account. */
export const ORGANISATION = { id: '5a0d0b0c0000000000000001', name: 'Sandbox Organisation' };
const PURPOSE = 'data-collection';
const DEFAULT_MINIMUM = 1;
const DEFAULT_MAXIMUM = 10;

/** A new collection request from an accepted body, with the sandbox's own defaults for the limits. */
export function createRequest(
	environment: Environment,
	body: CreateCollectionRequest,
): StoredRequest {
	const invited = body.participantList ?? [];
	const { minimumParticipants, maximumParticipants } = limits(body);
	return {
		id: newId(),
		environment,
		accountId: body.childAccountId || ORGANISATION.id,
		title: `Data collection: ${body.templateId}`,
		templateId: body.templateId,
		invited,
		minimumParticipants,
		maximumParticipants,
		createTime: new Date().toISOString(),
		identifier: body.webhookIdentifier,
		webhook: webhookOf(body),
		guests: [],
	};
}

/** The participant limits of a body, with the sandbox's own defaults for those left out. */
export function limits(body: CreateCollectionRequest) {
	const minimumParticipants = body.minimumParticipants ?? DEFAULT_MINIMUM;
	const maximumParticipants =
		body.maximumParticipants ??
		Math.max(DEFAULT_MAXIMUM, minimumParticipants, body.participantList?.length ?? 0);
	return { minimumParticipants, maximumParticipants };
}

/** What the API sends (Collection request), without anything secret. */
export function toCollectionRequest(request: StoredRequest) {
	return {
		_id: request.id,
		account_id: request.accountId,
		title: request.title,
		participantList: request.invited.map(({ email }) => ({ email: email ?? '' })),
		minimumParticipants: request.minimumParticipants,
		maximumParticipants: request.maximumParticipants,
		shareStatus: shareStatusOf(request),
		createTime: request.createTime,
		...(request.share && { shareId: request.share._id }),
		template: templateOf(request),
	};
}

/** What it is about, for people: its webhook identifier; undefined when it has none. */
export function topicOf({ identifier = '' }: StoredRequest): string | undefined {
	const topic = identifier.trim();
	return topic.length > 200 ? `${topic.slice(0, 200)}…` : topic || undefined;
}

/** The share's status; `open` before a share exists (the sandbox's own choice). */
export function shareStatusOf(request: StoredRequest): ShareStatus {
	return request.share?.status ?? 'open';
}

export function templateOf({ templateId }: StoredRequest) {
	return { _id: templateId, purpose: PURPOSE };
}

/** The invited who can be recognised on the guest page: those with an email address. */
export function invitedByEmail(
	request: StoredRequest,
): Array<ParticipantDetails & { email: string }> {
	return request.invited.flatMap((details) =>
		details.email ? [{ ...details, email: details.email }] : [],
	);
}

function webhookOf(body: CreateCollectionRequest): StoredRequest['webhook'] {
	if (!body.webhookUrl || !body.webhookSecret) return undefined;
	return { url: body.webhookUrl, secret: body.webhookSecret, identifier: body.webhookIdentifier };
}
