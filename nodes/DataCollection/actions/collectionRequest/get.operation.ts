import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { connectionOf } from '../../context/connection';
import { apiRequest } from '../../context/transport';
import { withGuestLink } from '../../shared/guestLink';
import type { CollectionRequest, Share } from '../../shared/types';
import { idParameter, requestIdField, showFor } from '../operation';
import { concurrencyOption, optionsOf, timeoutOption, timeoutParameter } from '../options';

export const description: INodeProperties[] = showFor('collectionRequest', 'get', [
	requestIdField,
	optionsOf([
		concurrencyOption,
		{
			displayName: 'Include Share',
			name: 'includeShare',
			type: 'boolean',
			default: false,
			description: 'Whether to read the share as well; it is null while none exists',
		},
		timeoutOption,
	]),
]);

/** Reads a collection request and adds its guest link and, if wanted, its share. */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const connection = await connectionOf.call(this, itemIndex);
	const id = idParameter.call(this, 'requestId', 'Request ID', itemIndex);
	const call = {
		request: 'read',
		connection,
		timeout: timeoutParameter.call(this, itemIndex),
		itemIndex,
	} as const;
	const found = await apiRequest<CollectionRequest>(this, {
		...call,
		resource: 'collection-request',
		id,
	});
	const withLink = withGuestLink(connection.collectUrl, found);
	if (this.getNodeParameter('options.includeShare', itemIndex, false) !== true) return withLink;
	const share = found.shareId
		? await apiRequest<Share>(this, { ...call, resource: 'share', id: found.shareId })
		: null;
	return { ...withLink, share };
}
