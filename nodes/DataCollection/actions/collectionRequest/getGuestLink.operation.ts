import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { guestLink } from '../../item';
import { parametersOf } from '../../parameters';
import { givenRequestId, requestIdField } from '../fields';
import type { Run } from '../operation';

export const description: INodeProperties[] = [requestIdField];

/** Builds the guest link from the credential's Collect URL, without a call to the service. */
export async function execute(run: Run, itemIndex: number): Promise<IDataObject> {
	const requestId = givenRequestId(run, parametersOf(run.context, itemIndex));
	return { requestId, guestLink: guestLink(run.connection.collectUrl, requestId) };
}
