import type { IExecuteFunctions } from 'n8n-workflow';

import type { Connection } from '../../context/connection';
import { apiRequest } from '../../context/transport';
import { withGuestLink } from '../../shared/guestLink';
import type { CollectionRequest } from '../../shared/types';
import { timeoutParameter } from '../options';
import { createBody } from './createBody';
import { webhookTarget } from './webhookTarget';

interface Creation {
	itemIndex: number;
	connection: Connection;
	/** Where notifications go; without it the service sends none. */
	webhookUrl: string | undefined;
}

/** Creates what the parameters say; resolves to the service's answer with the guest link. */
export async function createRequest(
	this: IExecuteFunctions,
	{ itemIndex, connection, webhookUrl }: Creation,
): Promise<CollectionRequest> {
	const body = {
		...createBody.call(this, itemIndex),
		...(webhookUrl && webhookTarget.call(this, itemIndex, webhookUrl, connection)),
	};
	const created = await apiRequest<CollectionRequest>(this, {
		request: 'create',
		connection,
		body,
		timeout: timeoutParameter.call(this, itemIndex),
		itemIndex,
	});
	return withGuestLink(connection.collectUrl, created);
}
