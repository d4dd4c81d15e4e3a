import type { IDataObject } from 'n8n-workflow';

import { requestItem } from '../../item';
import type { Parameters } from '../../parameters';
import { parametersOf } from '../../parameters';
import type { Person } from '../../share';
import { byPerson, objectsOf, peopleOf } from '../../share';
import { hasStatus } from '../../webhook/notification';
import { givenCallOptions, givenRequestId } from '../fields';
import type { ItemResult, Run } from '../operation';
import { eachList } from '../results';

/** A collection request, the fields that its items begin with, and its people. */
export interface Found {
	fields: IDataObject;
	isCompleted: boolean;
	people: Participant[];
}

/** Somebody who was invited, or has joined, or both. */
export type Participant = ReturnType<typeof participantOf>;

/** Reads the people of each collection request that the input items name, each once. */
export const readPeople = async (run: Run): Promise<Array<ItemResult<Found[]>>> =>
	await eachList(run, (itemIndex) => {
		const given = parametersOf(run.context, itemIndex);
		const id = givenRequestId(run, given);
		return { key: id, get: async () => [await getFound(run, given, id)] };
	});

async function getFound(run: Run, given: Parameters, id: string): Promise<Found> {
	const options = givenCallOptions(given);
	const request = await run.api.getCollectionRequest(id, options);
	const share = await run.api.getShareOf(request, options);
	const { _id, shareStatus = null } = request;
	return {
		fields: requestItem(run.connection.collectUrl, _id, { shareStatus }),
		isCompleted: hasStatus(['completed'], shareStatus),
		people: participantsOf(objectsOf(request.participantList), peopleOf(share)),
	};
}

/** An item for each of the people who are wanted. */
export const itemsOf = ({ fields, people }: Found, isWanted: (person: Participant) => boolean) =>
	people.filter(isWanted).map((person) => ({ ...fields, ...person }));

/** Matches invited and joined people by email, or by phone number if there is no email. */
function participantsOf(invited: Person[], joined: Person[]): Participant[] {
	const [invitations, accounts] = [byPerson(invited), byPerson(joined)];
	const rows = [...invitations].map(([key, person]) => {
		const account = accounts.get(key);
		const known = { ...person, ...filled(account ?? {}) };
		return participantOf(known, true, account !== undefined);
	});
	const uninvited = [...accounts].filter(([key]) => !invitations.has(key));
	return [...rows, ...uninvited.map(([, person]) => participantOf(person, false, true))];
}

function participantOf(person: Person, isInvited: boolean, hasJoined: boolean) {
	const { accountId = null, name = null, email = null, phoneNumber = null, roles = [] } = person;
	return { accountId, name, email, phoneNumber, roles, isInvited, hasJoined };
}

const filled = (person: Person): Person =>
	Object.fromEntries(Object.entries(person).filter(([, value]) => value !== null && value !== ''));
