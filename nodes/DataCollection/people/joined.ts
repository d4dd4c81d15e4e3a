import type { IDataObject } from 'n8n-workflow';

import { isPresent, textOf } from '../basics/values';
import { readCallOptions } from '../n8n/callOptions';
import type { Parameters } from '../n8n/parameters';
import { mapNamed, type Named, readWithShare } from '../requests/reading';
import { readRequestId } from '../requests/requestId';
import type { Run } from '../requests/run';
import { requestItem } from '../service/guestLink';
import { hasStatus } from '../service/notification';
import { objectsOf, peopleOf, type Person } from '../service/share';
import type { CollectionRequest } from '../service/types';
import { groupByPerson, parseEmail, phoneKey } from './contact';

/** A collection request, the fields that its items begin with, and its people. */
export interface Found {
	fields: IDataObject;
	isCompleted: boolean;
	people: Participant[];
}

/** Somebody who was invited, or has joined, or both. */
export type Participant = ReturnType<typeof participantOf>;

const isCompleted = ({ shareStatus }: CollectionRequest) => hasStatus(['completed'], shareStatus);

/** The people of the collection request that an item names; of a completed one, perhaps not who joined. */
export function selectPeople(
	run: Run,
	parameters: Parameters,
	{ isOpenOnly = false } = {},
): Named<Found> {
	const id = readRequestId(run, parameters);
	const options = readCallOptions(parameters);
	const isNeeded = (request: CollectionRequest) => !isOpenOnly || !isCompleted(request);
	const read = async () => await readWithShare(run, id, options, isNeeded);
	return mapNamed({ key: id, read }, ({ request, share }) => {
		const { _id, shareStatus = null, participantList } = request;
		return {
			fields: requestItem(run.connection.collectUrl, _id, { shareStatus }),
			isCompleted: isCompleted(request),
			people: participantsOf(objectsOf(participantList), peopleOf(share)),
		};
	});
}

/** An item for each of the people who are wanted. */
export const itemsOf = ({ fields, people }: Found, isWanted: (person: Participant) => boolean) =>
	people.filter(isWanted).map((person) => ({ ...fields, ...person }));

/** Invited people, then those who joined uninvited. The account of somebody who has joined wins. */
function participantsOf(invited: Person[], joined: Person[]): Participant[] {
	const phonesOf = (people: Person[]) => people.map(({ phoneNumber }) => phoneKey(phoneNumber));
	const lists = [phonesOf(invited), phonesOf(joined)];
	// An account has its own form of a name. With a number that no two people share, it does not matter.
	const nameIn = ({ name, email, phoneNumber }: Person) => {
		const phone = phoneKey(phoneNumber);
		const isOnly = lists.every((phones) => phones.filter((one) => one === phone).length === 1);
		return isOnly && !email ? '' : name;
	};
	const entries: Array<Person & { invitation?: Person; account?: Person }> = [
		...invited.map((invitation) => ({ ...invitation, invitation })),
		...joined.map((account) => ({ ...account, name: nameIn(account), account })),
	];
	return groupByPerson(entries).map((group) => {
		const invitation = group.find((entry) => entry.invitation)?.invitation;
		const account = group.find((entry) => entry.account)?.account;
		const person = { ...invitation, ...filled(account ?? {}) };
		return participantOf(person, invitation !== undefined, account !== undefined);
	});
}

function participantOf(person: Person, isInvited: boolean, hasJoined: boolean) {
	const { accountId = null, name = null, phoneNumber = null, roles = [] } = person;
	const parsed = parseEmail(textOf(person.email) ?? '');
	const email = parsed.ok ? parsed.value.email : (person.email ?? null);
	return { accountId, name, email, phoneNumber, roles, isInvited, hasJoined };
}

const filled = (person: Person): Person =>
	Object.fromEntries(
		Object.entries(person).filter(([, value]) => isPresent(value) && value !== ''),
	);
