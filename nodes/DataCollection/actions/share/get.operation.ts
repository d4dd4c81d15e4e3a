import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import type { Share } from '../../api/types';
import { aboutRequest } from '../../guestLink';
import type { Run } from '../operation';
import {
	callOptionsOf,
	concurrencyOption,
	idOf,
	inputError,
	optionsField,
	requestIdField,
	requestIdOf,
	timeoutOption,
} from '../operation';
import { simplify } from './answers';

const displayOptions = { show: { resource: ['share'], operation: ['get'] } };

export const description: INodeProperties[] = updateDisplayOptions(displayOptions, [
	{
		displayName: 'Get By',
		name: 'shareBy',
		type: 'options',
		options: [
			{ name: 'Request ID', value: 'requestId' },
			{ name: 'Share ID', value: 'shareId' },
		],
		default: 'requestId',
		description: 'Whether you know the ID of the collection request or of the share itself',
	},
	{ ...requestIdField, displayOptions: { show: { shareBy: ['requestId'] } } },
	{
		displayName: 'Share ID',
		name: 'shareId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 65f0c1a2b3c4d5e6f7a8b9c3',
		description: 'ID of the share, as a collection request carries it once a share exists',
		displayOptions: { show: { shareBy: ['shareId'] } },
	},
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	optionsField([concurrencyOption, timeoutOption]),
]);

/** Reads a share by the ID of its collection request or by its own. */
export async function execute(run: Run, itemIndex: number): Promise<IDataObject> {
	const { context, connection } = run;
	const { share, requestId } = await readShare(run, itemIndex);
	const isRaw = context.getNodeParameter('simplify', itemIndex, true) === false;
	const fields = isRaw ? share : simplify(share);
	return requestId === undefined ? fields : aboutRequest(connection.collectUrl, requestId, fields);
}

/** The share, and the ID of its collection request if the service tells it. */
async function readShare(
	run: Run,
	itemIndex: number,
): Promise<{ share: Share; requestId: string | undefined }> {
	const { api, context } = run;
	const options = callOptionsOf(run, itemIndex);
	if (context.getNodeParameter('shareBy', itemIndex, 'requestId') === 'shareId') {
		const share = await api.getShare(idOf(run, itemIndex, 'shareId', 'Share ID'), options);
		return { share, requestId: share.collectionRequestId };
	}
	const requestId = requestIdOf(run, itemIndex);
	const { shareId } = await api.getCollectionRequest(requestId, options);
	if (shareId) return { share: await api.getShare(shareId, options), requestId };
	throw inputError(
		run,
		itemIndex,
		`The collection request "${requestId}" has no share yet`,
		'A share exists once the service has created one for the request. To go on without one, use Collection Request > Get with the option Include Share: its share is null until then.',
	);
}
