import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { requestItem } from '../../guestLink';
import { simplify } from '../../api/share';
import { simplifyField } from '../../fields';
import type { Run } from '../operation';
import { callOptionsField } from '../parameters';
import { selectShare, shareFields } from './selectShare';

export const description: INodeProperties[] = [...shareFields, simplifyField, callOptionsField()];

/** Reads a share by its collection request's ID or by its own ID. */
export async function execute(run: Run, itemIndex: number): Promise<IDataObject> {
	const { context, connection } = run;
	const { share, requestId } = await selectShare(run, itemIndex).read();
	const isRaw = context.getNodeParameter('simplify', itemIndex, true) === false;
	const fields = isRaw ? share : simplify(share);
	return requestId === null ? fields : requestItem(connection.collectUrl, requestId, fields);
}
