import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../basics/values';
import { readCallOptions } from '../n8n/callOptions';
import { eachList } from '../n8n/items';
import { type Parameters, parametersOf } from '../n8n/parameters';
import { readRequestId } from '../requests/requestId';
import type { Run } from '../requests/run';
import { requestItem } from '../service/guestLink';
import { hasStatus } from '../service/notification';
import { keysOf, parseEmail } from './contact';
import { groupByPerson } from './samePerson';
import { objectsOf, peopleOf, type Person } from '../service/share';

/** A collection request, the fields that its items begin with, and its people. */
export interface Found {
	fields: IDataObject;
	isCompleted: boolean;
	people: Participant[];
}

/** Somebody who was invited, or has joined, or both. */
export type Participant = ReturnType<typeof participantOf>;

/**
 * Reads the people of each collection request that the items name, each once. `leaveOut` says of an
 * error whether to go on without that one.
 */
export const readPeople = async (run: Run, leaveOut: (error: unknown) => boolean = () => false) =>
	await eachList(run, (itemIndex) => {
		const parameters = parametersOf(run.context, itemIndex, run.hint);
		const id = readRequestId(run, parameters);
		return { key: id, get: async () => await getFound(run, parameters, id, leaveOut) };
	});

async function getFound(
	run: Run,
	parameters: Parameters,
	id: string,
	leaveOut: (error: unknown) => boolean,
): Promise<Found[]> {
	const options = readCallOptions(parameters);
	const read = run.api.getCollectionRequest(id, options);
	const request = await read.catch((error: unknown) => {
		if (leaveOut(error)) return undefined;
		throw error;
	});
	if (request === undefined) return [];
	const share = await run.api.getShareOf(request, options);
	const { _id, shareStatus = null } = request;
	const fields = requestItem(run.connection.collectUrl, _id, { shareStatus });
	const people = participantsOf(objectsOf(request.participantList), peopleOf(share));
	return [{ fields, isCompleted: hasStatus(['completed'], shareStatus), people }];
}

/** An item for each of the people who are wanted. */
export const itemsOf = ({ fields, people }: Found, isWanted: (person: Participant) => boolean) =>
	people.filter(isWanted).map((person) => ({ ...fields, ...person }));

/** Invited people, then those who joined uninvited. The account of somebody who has joined wins. */
function participantsOf(invited: Person[], joined: Person[]): Participant[] {
	const accounts = new Set(joined);
	return groupByPerson([...invited, ...joined], keysOf).map((entries) => {
		const invitation = entries.find((entry) => !accounts.has(entry));
		const account = entries.find((entry) => accounts.has(entry));
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
	Object.fromEntries(Object.entries(person).filter(([, value]) => value !== null && value !== ''));
