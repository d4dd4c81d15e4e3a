import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isMissing } from '../../api/errors';
import { requestItem } from '../../item';
import type { Parameters } from '../../parameters';
import { parametersOf } from '../../parameters';
import { groupByPerson, parseEmail } from '../../person';
import type { Person } from '../../share';
import { objectsOf, peopleOf } from '../../share';
import { textOf } from '../../values';
import { hasStatus } from '../../webhook/notification';
import { callOptionsField, givenCallOptions, givenRequestId, requestIdField } from '../fields';
import type { ItemResult, Run } from '../operation';
import { eachList, mapResults } from '../results';
import { isTool, laterWaits, refuseAlwaysOutputData } from '../workflow';

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
	if (include === 'toRemind') return await toRemind(run);
	const isWanted = ({ hasJoined }: Participant) =>
		include === 'all' || hasJoined === (include === 'joined');
	const found = await getAll(run);
	return [mapResults(found, (each) => each.flatMap((one) => itemsOf(one, isWanted)))];
}

/** What the items name, each once. `leaveOut` says of an error whether to go on without that one. */
const getAll = async (run: Run, leaveOut: (error: unknown) => boolean = () => false) =>
	await eachList(run, (itemIndex) => {
		const given = parametersOf(run.context, itemIndex, run.hint);
		const id = givenRequestId(run, given);
		return { key: id, get: async () => await getFound(run, given, id, leaveOut) };
	});

async function getFound(
	run: Run,
	given: Parameters,
	id: string,
	leaveOut: (error: unknown) => boolean,
): Promise<Found[]> {
	const options = givenCallOptions(given);
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

function refuseExecuteOnce({ context }: Run): void {
	if (context.getNode().executeOnce !== true) return;
	const advice =
		'Turn it off in the settings of this node: only the first collection request would be looked at.';
	throw parametersOf(context, 0).wrong({
		message: 'Execute Once cannot be used with To Remind',
		advice,
	});
}

const itemsOf = ({ fields, people }: Found, isWanted: (person: Participant) => boolean) =>
	people.filter(isWanted).map((person) => ({ ...fields, ...person }));

/** Exactly one of the two outputs has items, so that a loop of reminders always goes on once. */
async function toRemind(run: Run): Promise<ItemResult[][]> {
	refuseAlwaysOutputData(run, 'To Remind');
	refuseExecuteOnce(run);
	const gone: Error[] = [];
	const found = await getAll(run, (error) => isMissing(error) && gone.push(error as Error) > 0);
	const all = found.flatMap((result) => (result.ok ? result.value : []));
	const isRead = found.every(({ ok }) => ok);
	const [first] = gone;
	if (isRead && all.length === 0 && first !== undefined) throw first;
	for (const { message } of gone) run.hint(`${message}. It is left out, and holds nobody up.`);
	if (isRead && all.every(({ isCompleted }) => isCompleted)) return completed(run, found);
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

/** The collection requests, all of them completed, at the second output. */
function completed(run: Run, found: Array<ItemResult<Found[]>>): ItemResult[][] {
	// An agent sees the first output of a tool only.
	const isOnlyOutput = isTool(run);
	const more = isOnlyOutput ? { allCompleted: true } : {};
	const items = mapResults(found, (each) => each.map(({ fields }) => ({ ...fields, ...more })));
	return isOnlyOutput ? [items] : [[], items];
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

/** Invited people, then those who joined uninvited. Of somebody who has joined, the account says more. */
function participantsOf(invited: Person[], joined: Person[]): Participant[] {
	const accounts = new Set(joined);
	return groupByPerson([...invited, ...joined]).map((entries) => {
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
