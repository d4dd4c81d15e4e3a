import type { INodeProperties } from 'n8n-workflow';

import { shareOf } from '../../api/share';
import type { Run } from '../operation';
import {
	callOptionsOf,
	choiceOf,
	idOf,
	inputError,
	requestIdField,
	requestIdOf,
} from '../parameters';

const shareByField: INodeProperties = {
	displayName: 'Get By',
	name: 'shareBy',
	type: 'options',
	options: [
		{ name: 'Request ID', value: 'requestId' },
		{ name: 'Share ID', value: 'shareId' },
	],
	default: 'requestId',
	description: 'Whether to find the share by the ID of its collection request or by its own ID',
};

/** The fields that select the share, in the order in which the editor shows them. */
export const shareFields: INodeProperties[] = [
	shareByField,
	{ ...requestIdField, displayOptions: { show: { shareBy: ['requestId'] } } },
	{
		displayName: 'Share ID',
		name: 'shareId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 65f0c1a2b3c4d5e6f7a8b9c3',
		description:
			'ID of the share, which the collection request contains as shareId once a share exists',
		displayOptions: { show: { shareBy: ['shareId'] } },
	},
];

/** Reads the selected share, and the ID of its collection request if the service gives it. */
export async function readShare(run: Run, itemIndex: number) {
	const { api } = run;
	const options = callOptionsOf(run, itemIndex);
	if (choiceOf(run, itemIndex, shareByField) === 'shareId') {
		const share = await api.getShare(idOf(run, itemIndex, 'shareId', 'Share ID'), options);
		return { share, requestId: share.collectionRequestId };
	}
	const requestId = requestIdOf(run, itemIndex);
	const share = await shareOf(api, await api.getCollectionRequest(requestId, options), options);
	if (share !== null) return { share, requestId };
	const message = `The collection request "${requestId}" has no share yet`;
	const advice =
		'The service has not created one so far. To continue without a share, use Collection Request > Get with the option Include Share: share is null until one exists.';
	throw inputError(run, itemIndex, message, advice);
}
