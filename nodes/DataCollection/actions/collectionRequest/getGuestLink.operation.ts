import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { connectionOf } from '../../context/connection';
import { guestLink } from '../../shared/guestLink';
import { idParameter, requestIdField, showFor } from '../operation';

/** The guest link is made of the credential and the ID. */
export const isLocal = true;

export const description: INodeProperties[] = showFor('collectionRequest', 'getGuestLink', [
	requestIdField,
]);

/** Builds the guest link from the credential's Collect URL, without a call to the service. */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const { collectUrl } = await connectionOf.call(this, itemIndex);
	const requestId = idParameter.call(this, 'requestId', 'Request ID', itemIndex);
	return { requestId, guestLink: guestLink(collectUrl, requestId) };
}
