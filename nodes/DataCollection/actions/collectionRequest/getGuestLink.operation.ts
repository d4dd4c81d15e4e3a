import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { guestLink } from '../../item';
import type { Run } from '../operation';
import { givenRequestId, requestIdField } from '../fields';

export const description: INodeProperties[] = [requestIdField];

/** Builds the guest link from the credential's Collect URL, without a call to the service. */
export async function execute(run: Run, itemIndex: number): Promise<IDataObject> {
	const requestId = givenRequestId(run, itemIndex);
	return { requestId, guestLink: guestLink(run.connection.collectUrl, requestId) };
}
