import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { callOptionsField } from '../../n8n/callOptions';
import { userError } from '../../n8n/errors';
import { isTool, downstreamWaits, refuseAlwaysOutputData } from '../../n8n/graph';
import { type ItemResult, mapResults } from '../../n8n/items';
import { requestIdField } from '../../requests/requestId';
import type { Run } from '../../requests/run';
import { isMissing } from '../../service/errors';
import { type Found, itemsOf, type Participant, readPeople } from '../../people/joined';

const outputsNotice: INodeProperties = {
	displayName:
		'<b>To Remind</b> has those who have not joined; if all have, everybody, because somebody has not submitted. Email them, and lead the emails back to Wait. <b>Completed</b> has something only when all collection requests are completed. Lead it to Get Answers.',
	name: 'outputsNotice',
	type: 'notice',
	default: '',
};

export const description: INodeProperties[] = [requestIdField, outputsNotice, callOptionsField()];

const NO_WAIT =
	'No Wait comes after this node, so nothing waits for the people who are reminded. Lead the reminders back to Wait.';

/**
 * Outputs one item for each person whose answers may be missing. If all collection requests are
 * completed, it outputs those instead, by the second output. So exactly one of the two outputs has
 * items, and a loop of reminders always goes on once.
 */
export async function executeAll(run: Run): Promise<ItemResult[][]> {
	refuseAlwaysOutputData(run, 'To Remind');
	refuseExecuteOnce(run);
	const gone: Error[] = [];
	const found = await readPeople(run, (error) => isMissing(error) && gone.push(error as Error) > 0);
	const all = found.flatMap((result) => (result.ok ? result.value : []));
	const isRead = found.every(({ ok }) => ok);
	const [first] = gone;
	if (isRead && all.length === 0 && first !== undefined) throw first;
	for (const { message } of gone) run.hint(`${message}. It is left out, and holds nobody up.`);
	if (isRead && all.every(({ isCompleted }) => isCompleted)) return completed(run, found);
	const people = mapResults(found, (each) => each.flatMap(openPeople));
	if (people.some((result) => !result.ok || [result.value].flat().length > 0)) {
		if (downstreamWaits(run).length === 0) run.hint(NO_WAIT);
		return [people, []];
	}
	const message = 'Nobody can be reminded: the service names no participants';
	const description =
		'Nobody was invited to these collection requests, and nobody has joined. Send the guest link to somebody, or invite people when you create them.';
	throw userError({ message, description });
}

/** The collection requests, all of them completed, at the second output. */
function completed(run: Run, found: Array<ItemResult<Found[]>>): ItemResult[][] {
	// An agent sees the first output of a tool only.
	const isOnlyOutput = isTool(run);
	const more = isOnlyOutput ? { allCompleted: true } : {};
	const items = mapResults(found, (each) => each.map(({ fields }) => ({ ...fields, ...more })));
	return isOnlyOutput ? [items] : [[], items];
}

function refuseExecuteOnce({ context }: Run): void {
	if (context.getNode().executeOnce !== true) return;
	const description =
		'Turn it off in the settings of this node: only the first collection request would be looked at.';
	throw userError({
		message: 'Execute Once cannot be used with this operation',
		description,
	});
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
