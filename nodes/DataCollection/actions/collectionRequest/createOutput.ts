import type { INodeProperties } from 'n8n-workflow';

import type { PlannedRequest } from '../../people/plannedRequests';
import { type CollectionRequest, requestItem } from '../../service/collectionRequest';
import { withInvitee } from '../../shared/earlierInvitees';
import type { CreatedItem, Run } from '../../shared/operation';

/** Output. {@link createdItems} makes what it says. */
export const outputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Collection Request',
			value: 'collectionRequest',
			description: 'One item for each collection request, with the response of the service',
		},
		{
			name: 'Participants',
			value: 'participants',
			description:
				'One item for each invited person, e.g. to email them; the collection request if nobody is invited',
		},
	],
	default: 'participants',
	description: 'What to return for each collection request',
};

/** One item for each person, or the collection request itself, with its only person. */
export function createdItems(
	{ connection }: Run,
	{ itemIndexes: [itemIndex], people, group }: PlannedRequest,
	response: CollectionRequest,
	isForEach: boolean,
): CreatedItem[] {
	const request = requestItem(connection.collectUrl, response._id, response);
	const { requestId, guestLink } = request;
	const ofGroup = group === undefined ? {} : { group };
	const items = people.map(({ person, itemIndex: ofPerson }) => {
		const { name = null, email = null, phoneNumber = null, isAdmin = false } = person;
		const invitee = { name, email, phoneNumber, isAdmin, ...ofGroup };
		return { invitee, itemIndex: ofPerson };
	});
	if (isForEach && items.length > 0) {
		return items.map(({ invitee, itemIndex: ofPerson }) => ({
			ok: true,
			value: { requestId, guestLink, ...invitee },
			itemIndex: ofPerson,
		}));
	}
	const invitee = items.length === 1 ? items[0]?.invitee : undefined;
	return [{ ok: true, value: withInvitee(request, invitee ?? ofGroup), itemIndex }];
}
