import type { INodeProperties } from 'n8n-workflow';

import type { ItemResult } from '../../n8n/itemResults';
import { parametersOf } from '../../n8n/parameters';
import { type Participant, personItems, peopleTask } from '../../people/invitedAndJoined';
import { callOptionsField } from '../../shared/callOptions';
import type { Run } from '../../shared/operation';
import { mapTask, readLists } from '../../shared/readItems';
import { requestIdField } from '../../shared/requestId';

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
		{
			name: 'Joined',
			value: 'joined',
			description:
				'People who have joined, invited or not. That does not mean submitted, which the service does not report.',
		},
		{ name: 'Not Joined', value: 'notJoined', description: 'Invited people who have not joined' },
	],
	default: 'all',
	description: 'Who to return',
};

export const addsInvitee = true;

export const description: INodeProperties[] = [requestIdField, includeField, callOptionsField()];

/** Outputs one item per person: invited people in their order, then people who joined uninvited. */
export const executeAll = async (run: Run): Promise<ItemResult[][]> => [
	await readLists(run, (itemIndex) => {
		const parameters = parametersOf(run.context, itemIndex, run.hint);
		const include = parameters.option(includeField);
		const isWanted = ({ hasJoined }: Participant) =>
			include === 'all' || hasJoined === (include === 'joined');
		return mapTask(peopleTask(run, parameters), (people) => personItems(people, isWanted));
	}),
];
