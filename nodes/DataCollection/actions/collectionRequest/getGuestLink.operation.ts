import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { parametersOf } from '../../n8n/parameters';
import { guestLink } from '../../service/guestLink';
import type { Run } from '../../shared/operation';
import { readRequestId, requestIdField } from '../../shared/requestId';

export const description: INodeProperties[] = [requestIdField];

/** Builds the guest link from the credential's Collect URL, without a call to the service. */
export async function execute(run: Run, itemIndex: number): Promise<IDataObject> {
	const requestId = readRequestId(run, parametersOf(run.context, itemIndex));
	return { requestId, guestLink: guestLink(run.connection.collectUrl, requestId) };
}
