import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Connection } from '../../context/connection';
import { connectionOf } from '../../context/connection';
import { apiRequest } from '../../context/transport';
import type { CollectionRequest, Share } from '../../shared/types';
import { idParameter, inputError, requestIdField, showFor } from '../operation';
import { concurrencyOption, optionsOf, timeoutOption, timeoutParameter } from '../options';
import { simplify } from './simplify';

export const description: INodeProperties[] = showFor('share', 'get', [
	{
		displayName: 'Get By',
		name: 'shareBy',
		type: 'options',
		options: [
			{ name: 'Share ID', value: 'shareId' },
			{ name: 'Request ID', value: 'requestId' },
		],
		default: 'shareId',
		description: 'Whether you know the ID of the share itself or of its collection request',
	},
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
	{ ...requestIdField, displayOptions: { show: { shareBy: ['requestId'] } } },
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	optionsOf([concurrencyOption, timeoutOption]),
]);

/** Reads a share by its own ID or by the ID of its collection request. */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const connection = await connectionOf.call(this, itemIndex);
	const call = {
		request: 'read',
		connection,
		timeout: timeoutParameter.call(this, itemIndex),
		itemIndex,
	} as const;
	const id =
		this.getNodeParameter('shareBy', itemIndex, 'shareId') === 'requestId'
			? await shareIdOfRequest.call(this, call)
			: idParameter.call(this, 'shareId', 'Share ID', itemIndex);
	const share = await apiRequest<Share>(this, { ...call, resource: 'share', id });
	return this.getNodeParameter('simplify', itemIndex, true) === false ? share : simplify(share);
}

/** The collection request carries `shareId` once a share exists (States and transitions). */
async function shareIdOfRequest(
	this: IExecuteFunctions,
	call: { request: 'read'; connection: Connection; timeout: number; itemIndex: number },
): Promise<string> {
	const requestId = idParameter.call(this, 'requestId', 'Request ID', call.itemIndex);
	const { shareId } = await apiRequest<CollectionRequest>(this, {
		...call,
		resource: 'collection-request',
		id: requestId,
	});
	if (shareId) return shareId;
	throw inputError.call(
		this,
		call.itemIndex,
		`The collection request "${requestId}" has no share yet`,
		'A share exists once the service has created one for the request. To go on without one, use Collection Request > Get with the option Include Share: its share is null until then.',
	);
}
