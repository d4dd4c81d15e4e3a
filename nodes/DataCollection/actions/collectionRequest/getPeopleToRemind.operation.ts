import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { inWords } from '../../basics/text';
import { userError } from '../../n8n/errors';
import { type ItemResult, mapResults } from '../../n8n/itemResults';
import { parametersOf } from '../../n8n/parameters';
import { refuseAlwaysOutputData, refuseExecuteOnce } from '../../n8n/refusedSettings';
import { isTool } from '../../n8n/tool';
import {
	type Participant,
	type RequestPeople,
	personItems,
	peopleTask,
} from '../../people/invitedAndJoined';
import { callOptionsField } from '../../shared/callOptions';
import type { Run } from '../../shared/operation';
import { mapTask, readLists } from '../../shared/readItems';
import { requestIdField } from '../../shared/requestId';

const outputsNotice: INodeProperties = {
	displayName:
		'<b>To Remind:</b> email them, then back to Wait. <br /><b>Completed</b> (only when all are): to Get Answers.',
	name: 'outputsNotice',
	type: 'notice',
	default: '',
};

export const addsInvitee = true;

export const description: INodeProperties[] = [requestIdField, outputsNotice, callOptionsField()];

const NOBODY = {
	message: 'Nobody can be reminded: the service names no participants',
	description:
		'Nobody was invited to these collection requests, and nobody has joined. Send the guest link to somebody, or invite people when you create them.',
};

const FILTER =
	'An email node stops there, so let a Filter node before it pass on only people who have one.';

/**
 * Outputs one item for each person whose answers may be missing. If all collection requests that could
 * be read are completed, it outputs those instead, by the second output. So exactly one of the two
 * outputs has items, and a loop of reminders always goes on once.
 */
export async function executeAll(run: Run): Promise<ItemResult[][]> {
	refuseAlwaysOutputData(run.context, 'To Remind');
	refuseExecuteOnce(run.context);
	const results = await readLists(run, (itemIndex) => {
		const parameters = parametersOf(run.context, itemIndex, run.hint);
		return mapTask(peopleTask(run, parameters, { isOpenOnly: true }), (people) => [people]);
	});
	const requests = results.flatMap((result) => (result.ok ? result.value : []));
	if (requests.length > 0 && requests.every(({ isCompleted }) => isCompleted)) {
		return completed(run, results);
	}
	const people = mapResults(results, (all) => all.flatMap(openPeople));
	if (people.every((result) => result.ok && result.value.length === 0)) throw userError(NOBODY);
	hintNoEmail(run, requests);
	return [people, []];
}

/** The collection requests, all of them completed, at the second output. */
function completed(run: Run, results: Array<ItemResult<RequestPeople[]>>): ItemResult[][] {
	// An agent sees the first output of a tool only.
	const isOnlyOutput = isTool(run.context);
	const more = isOnlyOutput ? { allCompleted: true } : {};
	const items = mapResults(results, (all) => all.map(({ fields }) => ({ ...fields, ...more })));
	return isOnlyOutput ? [items] : [[], items];
}

/** A hint that names the people without an email, and the collection requests without people. */
function hintNoEmail({ connection, hint }: Run, requests: RequestPeople[]): void {
	const names = requests.flatMap((request) => {
		const { requestId } = request.fields;
		const people: IDataObject[] = openPeople(request);
		if (people.length === 0 && !request.isCompleted) return [`anybody in ${String(requestId)}`];
		const without = people.filter(({ email }) => !email);
		return without.map(({ name, phoneNumber }) => String(name ?? phoneNumber ?? requestId));
	});
	if (names.length > 0)
		hint(connection.redactor.text(`No email is known of ${inWords(names)}. ${FILTER}`));
}

/** Those who have not joined. If all have, somebody has not submitted, and it may be anybody. */
function openPeople(request: RequestPeople): IDataObject[] {
	if (request.isCompleted) return [];
	const missing = personItems(request, ({ hasJoined }) => !hasJoined);
	return missing.length > 0 ? missing : personItems(request, isAsked);
}

/** Whoever administers the collection request without an invitation is not asked to answer. */
const isAsked = ({ isInvited, roles }: Participant) =>
	isInvited || ![roles].flat().some((role) => ['organiser', 'admin'].includes(role));
