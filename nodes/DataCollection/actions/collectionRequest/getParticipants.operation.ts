import type { INodeProperties } from 'n8n-workflow';

import { callOptionsField } from '../../n8n/callOptions';
import { type ItemResult, mapResults } from '../../n8n/items';
import { parametersOf } from '../../n8n/parameters';
import { requestIdField } from '../../requests/requestId';
import type { Run } from '../../requests/run';
import { itemsOf, type Participant, readPeople } from '../../people/joined';

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

/** Outputs one item per person: invited people in their order, then people who joined uninvited. */
export async function executeAll(run: Run): Promise<ItemResult[][]> {
	const include = parametersOf(run.context, 0).option(includeField);
	const isWanted = ({ hasJoined }: Participant) =>
		include === 'all' || hasJoined === (include === 'joined');
	const found = await readPeople(run);
	return [mapResults(found, (each) => each.flatMap((one) => itemsOf(one, isWanted)))];
}
