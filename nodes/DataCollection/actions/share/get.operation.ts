import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { requestItem } from '../../guestLink';
import { simplify } from '../../api/share';
import { simplifyField } from '../../fields';
import type { Run } from '../operation';
import { callOptionsField, readFlag } from '../parameters';
import { selectShare, shareFields } from './selectShare';

export const description: INodeProperties[] = [...shareFields, simplifyField, callOptionsField()];

/** Reads a share by its collection request's ID or by its own ID. */
export async function execute(run: Run, itemIndex: number): Promise<IDataObject> {
	const isSimplified = readFlag(run, itemIndex, 'simplify', simplifyField);
	const { share, requestId } = await selectShare(run, itemIndex).read();
	const fields = isSimplified ? simplify(share) : share;
	return requestId === null ? fields : requestItem(run.connection.collectUrl, requestId, fields);
}
