import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { requestItem } from '../../item';
import type { Parameters } from '../../parameters';
import { parametersOf } from '../../parameters';
import type { Person } from '../../share';
import { byPerson, objectsOf, peopleOf } from '../../share';
import { hasStatus } from '../../webhook/notification';
import { callOptionsField, givenCallOptions, givenRequestId, requestIdField } from '../fields';
import type { ItemResult, Run } from '../operation';
import { eachList, mapResults } from '../results';
import { isTimedOut, laterWaits, refuseAlwaysOutputData } from '../workflow';

const includeField: INodeProperties = {
	displayName: 'Include',
	name: 'include',
	type: 'options',
	// It decides how many outputs the node has.
	noDataExpression: true,
	options: [
		{
			name: 'All',
			value: 'all',
			description: 'Invited people, and people who joined without an invitation',
		},
		{ name: 'Joined', value: 'joined', description: 'People who have joined, invited or not' },
		{ name: 'Not Joined', value: 'notJoined', description: 'Invited people who have not joined' },
		{
			name: 'To Remind',
			value: 'toRemind',
			description: 'People whose answers are missing, to email them once more',
		},
	],
	default: 'all',
	description:
		'Who to return. Joined does not mean submitted: the service does not say who has submitted.',
};

const toRemindNotice: INodeProperties = {
	displayName:
		'<b>To Remind</b> has those who have not joined; if all have, everybody, because somebody has not submitted. Email them, and lead the emails back to Wait. <b>Completed</b> has something only when all collection requests are completed. Lead it to Get Answers.',
	name: 'toRemindNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { include: ['toRemind'] } },
};

export const description: INodeProperties[] = [
	requestIdField,
	includeField,
	toRemindNotice,
	callOptionsField(),
];

const NO_WAIT =
	'No Wait comes after this node, so nothing waits for the people who are reminded. Lead the reminders back to Wait.';

const TIMED_OUT =
	'These items come from Timed Out of a Wait, unread, so people whose collection request is completed are listed, too. To email only those whose answers are missing, use Get People to Remind.';

/** A collection request, the fields that its items begin with, and its people. */
interface Found {
	fields: IDataObject;
	isCompleted: boolean;
	people: Participant[];
}

type Participant = ReturnType<typeof participantOf>;

/**
 * Outputs one item per person: invited people in their order, then people who joined uninvited. With
 * To Remind, the second output has the collection requests, if all of them are completed.
 */
export async function executeAll(run: Run): Promise<ItemResult[][]> {
	const include = parametersOf(run.context, 0).choice(includeField);
	if (include === 'toRemind') {
		refuseAlwaysOutputData(run, 'To Remind');
		refuseExecuteOnce(run);
	}
	const found = await eachList(run, (itemIndex) => {
		const given = parametersOf(run.context, itemIndex);
		const id = givenRequestId(run, given);
		return { key: id, get: async () => [await getFound(run, given, id)] };
	});
	if (include === 'toRemind') return toRemind(run, found);
	if (run.context.getInputData().some((_, itemIndex) => isTimedOut(run, itemIndex))) {
		run.hint(TIMED_OUT);
	}
	const isWanted = ({ hasJoined }: Participant) =>
		include === 'all' || hasJoined === (include === 'joined');
	return [mapResults(found, (each) => each.flatMap((one) => itemsOf(one, isWanted)))];
}

function refuseExecuteOnce({ context }: Run): void {
	if (context.getNode().executeOnce !== true) return;
	const advice =
		'Turn it off in the settings of this node: only the first collection request would be looked at.';
	throw parametersOf(context, 0).wrong({
		message: 'Execute Once cannot be used with To Remind',
		advice,
	});
}

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

const itemsOf = ({ fields, people }: Found, isWanted: (person: Participant) => boolean) =>
	people.filter(isWanted).map((person) => ({ ...fields, ...person }));

/** Exactly one of the two outputs has items, so that a loop of reminders always goes on once. */
function toRemind(run: Run, found: Array<ItemResult<Found[]>>): ItemResult[][] {
	const all = found.flatMap((result) => (result.ok ? result.value : []));
	const isComplete = all.every(({ isCompleted }) => isCompleted);
	if (isComplete && found.every(({ ok }) => ok)) {
		return [[], mapResults(found, (each) => each.map(({ fields }) => fields))];
	}
	const people = mapResults(found, (each) => each.flatMap(openPeople));
	if (people.some((result) => !result.ok || [result.value].flat().length > 0)) {
		if (laterWaits(run).length === 0) run.hint(NO_WAIT);
		return [people, []];
	}
	const message = 'Nobody can be reminded: the service names no participants';
	const advice =
		'Nobody was invited to these collection requests, and nobody has joined. Send the guest link to somebody, or invite people when you create them.';
	throw parametersOf(run.context, 0).wrong({ message, advice });
}

/** Those who have not joined. If all have, somebody has not submitted, and it may be anybody. */
function openPeople(one: Found): IDataObject[] {
	if (one.isCompleted) return [];
	const missing = itemsOf(one, ({ hasJoined }) => !hasJoined);
	return missing.length > 0 ? missing : itemsOf(one, isAsked);
}

/** Whoever administers the collection request without an invitation is not asked to answer. */
const isAsked = ({ isInvited, roles }: Participant) =>
	isInvited || ![roles].flat().some((role) => ['organiser', 'admin'].includes(role));

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
