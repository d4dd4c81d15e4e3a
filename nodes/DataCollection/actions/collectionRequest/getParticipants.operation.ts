import type { INodeProperties } from 'n8n-workflow';

import { guestLink } from '../../guestLink';
import type { Person } from '../../api/share';
import { objectsOf, peopleOf, shareOf } from '../../api/share';
import type { Run } from '../operation';
import {
	callOptionsField,
	readCallOptions,
	readChoice,
	readRequestId,
	requestIdField,
} from '../parameters';
import { readOnce } from '../readOnce';
import { firstByEmail } from './participants';

const includeField: INodeProperties = {
	displayName: 'Include',
	name: 'include',
	type: 'options',
	options: [
		{
			name: 'All',
			value: 'all',
			description: 'Invited people, and people who joined without an invitation',
		},
		{ name: 'Joined', value: 'joined', description: 'People who have joined, invited or not' },
		{ name: 'Not Joined', value: 'notJoined', description: 'Invited people who have not joined' },
	],
	default: 'all',
	description:
		'Who to return. Joined does not mean submitted: the service does not say who has submitted.',
};

export const description: INodeProperties[] = [requestIdField, includeField, callOptionsField()];

const NOBODY =
	'Nobody in a collection request matches Include, so no item comes out for it. If this node leads back to Wait, connect all items that timed out with Wait, or it is forgotten.';

/** Outputs one item per person: invited people in their order, then people who joined uninvited. */
export async function prepare(run: Run, itemIndex: number) {
	const { api, connection } = run;
	const id = readRequestId(run, itemIndex);
	const options = readCallOptions(run, itemIndex);
	const include = readChoice(run, itemIndex, includeField);
	return readOnce(run, id, 'participants are', async () => {
		const found = await api.getCollectionRequest(id, options);
		const share = await shareOf(api, found, options);

		const { _id: requestId, shareStatus = null } = found;
		const link = guestLink(connection.collectUrl, requestId);
		const people = mergeByEmail(objectsOf(found.participantList), peopleOf(share)).filter(
			({ hasJoined }) => include === 'all' || hasJoined === (include === 'joined'),
		);
		const isStopped = people.length === 0 && run.context.getNode().alwaysOutputData !== true;
		if (isStopped && include !== 'all') run.hint(NOBODY);
		return people.map((person) => ({ requestId, guestLink: link, shareStatus, ...person }));
	});
}

/** Matches invited and joined people by email, ignoring case. Records without one stay separate. */
function mergeByEmail(invited: Person[], joined: Person[]) {
	const [invitations, accounts] = [firstByEmail(invited), firstByEmail(joined)];
	const rows = [...invitations].map(([key, person]) => {
		const account = accounts.get(key);
		const known = { ...person, ...filled(account ?? {}) };
		return { ...rowOf(known), isInvited: true, hasJoined: account !== undefined };
	});
	const uninvited = [...accounts].filter(([key]) => !invitations.has(key));
	const others = uninvited.map(([, person]) => {
		return { ...rowOf(person), isInvited: false, hasJoined: true };
	});
	return [...rows, ...others];
}

const rowOf = ({ name = null, email = null, phoneNumber = null, roles = [] }: Person) => {
	return { name, email, phoneNumber, roles };
};

const filled = (person: Person): Person =>
	Object.fromEntries(Object.entries(person).filter(([, value]) => value !== null && value !== ''));
