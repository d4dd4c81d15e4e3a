import type { IDataObject } from 'n8n-workflow';

import { isPresent, textOf } from '../basics/values';
import type { Parameters } from '../n8n/parameters';
import { type CollectionRequest, hasStatus, requestItem } from '../service/collectionRequest';
import { objectsOf, joinedPeopleOf, type Person } from '../service/share';
import { readCallOptions } from '../shared/callOptions';
import type { Run } from '../shared/operation';
import { mapTask, type ReadTask, readWithShare } from '../shared/readItems';
import { readRequestId } from '../shared/requestId';
import { parseEmail } from './contact';
import { groupByPerson, type PersonKeys, personKeysOf } from './samePerson';

/** A collection request, the fields that its items begin with, and its people. */
export interface RequestPeople {
	fields: IDataObject;
	isCompleted: boolean;
	people: Participant[];
}

/** Somebody who was invited, or has joined, or both. */
export type Participant = ReturnType<typeof participantOf>;

const isCompleted = ({ shareStatus }: CollectionRequest) => hasStatus(['completed'], shareStatus);

/**
 * The people of the collection request that an item names. With `isOpenOnly`, it reads no share of a
 * completed collection request.
 */
export function peopleTask(
	run: Run,
	parameters: Parameters,
	{ isOpenOnly = false } = {},
): ReadTask<RequestPeople> {
	const id = readRequestId(run, parameters);
	const options = readCallOptions(parameters);
	const isNeeded = (request: CollectionRequest) => !isOpenOnly || !isCompleted(request);
	const read = async () => await readWithShare(run, id, options, isNeeded);
	return mapTask({ key: id, read }, ({ request, share }) => {
		const { _id, shareStatus = null, participantList } = request;
		return {
			fields: requestItem(run.connection.collectUrl, _id, { shareStatus }),
			isCompleted: isCompleted(request),
			people: participantsOf(
				invitedPeople(objectsOf(participantList), run.invitees.peopleOf(_id)),
				joinedPeopleOf(share),
			),
		};
	});
}

/**
 * Adds what Create was given about people of whom the service returns less: by their email, or if it
 * returns nothing of exactly those who have none, in their order.
 */
function invitedPeople(listed: Person[], created: Person[]): Person[] {
	const byEmail = new Map(created.map((person) => [personKeysOf(person).email, person]));
	const withoutEmail = created.filter((person) => personKeysOf(person).email === '');
	const isComplete = listed.filter(isUnknown).length === withoutEmail.length;
	return listed.map((person) => {
		if (isComplete && isUnknown(person)) return withoutEmail.shift() ?? person;
		const { email } = personKeysOf(person);
		return { ...(email !== '' && byEmail.get(email)), ...filled(person) };
	});
}

const isUnknown = ({ name, email, phoneNumber }: Person): boolean =>
	Object.keys(filled({ name, email, phoneNumber })).length === 0;

export const personItems = (
	{ fields, people }: RequestPeople,
	isWanted: (person: Participant) => boolean,
) => people.filter(isWanted).map((person) => ({ ...fields, ...person }));

/** Invited people, then those who joined uninvited. The account of somebody who has joined wins. */
function participantsOf(invited: Person[], joined: Person[]): Participant[] {
	const accounts = new Set(joined);
	const keys = new Map([...invited, ...joined].map((person) => [person, personKeysOf(person)]));
	const phoneCounts = [invited, joined].map((people) =>
		countsOf(people.map((person) => keys.get(person)?.phone)),
	);
	const invitedEmails = new Set(invited.map((person) => keys.get(person)?.email));
	const keysIn = (person: Person): PersonKeys => {
		const own = keys.get(person) ?? personKeysOf(person);
		if (!accounts.has(person) || (own.email !== '' && invitedEmails.has(own.email))) return own;
		// By a number that no two people share, whatever name and email the account has.
		const isOnlyOne = phoneCounts.every((counts) => counts.get(own.phone) === 1);
		return isOnlyOne && own.phone !== '' ? { ...own, email: '', name: '' } : own;
	};
	return groupByPerson([...keys.keys()], keysIn).map((entries) => {
		const invitation = entries.find((entry) => !accounts.has(entry));
		const account = entries.find((entry) => accounts.has(entry));
		const person = { ...invitation, ...filled(account ?? {}) };
		return participantOf(person, invitation !== undefined, account !== undefined);
	});
}

function countsOf(texts: Array<string | undefined>): Map<string | undefined, number> {
	const counts = new Map<string | undefined, number>();
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	return counts;
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
